"""What is said about weights: fetching them, taking a user's file, and what is wrong with it."""

MESSAGES: dict[str, str] = {
    "weights.not_here": (
        "The weights “{weights}” of {slug} are not on this machine yet. Download them, or drop the file here."
    ),
    "weights.no_graph": "The weights “{weights}” of {slug} need PyTorch, which is not installed here.",
    "weights.pth_needs_torch": (
        "The official file is a .pth, a Python pickle that only PyTorch opens safely, and PyTorch is not installed "
        "here. On a machine with Vitrine and PyTorch run “python -m models.checkpoints convert FILE.pth "
        "OUT.safetensors”, then drop the .safetensors file here: it works without PyTorch."
    ),
    "weights.pth_refused": (
        "This .pth holds more than tensors (code, or compressed parts), so it was not opened. "
        "Get it again from its official page."
    ),
    "weights.empty": "The weights file is empty (0 bytes). Get it again.",
    "weights.too_large": "The weights file has {megabytes} MB; at most {limit} MB are taken. Is it the right file?",
    "weights.unknown_file": "This is no weights file that is read here. Give a .safetensors, or an official .pth.",
    "weights.unreadable": "The weights file is damaged or was cut short. Get it again; what was there before stays.",
    "weights.wrong_keys": (
        "These weights belong to another model. Missing: {missing}. Unknown: {unknown}. "
        "Choose the entry that the file was made for."
    ),
    "weights.wrong_shape": (
        "These weights belong to a model of other sizes: {name} is {got}, it should be {expected}. "
        "Choose the entry that the file was made for."
    ),
    "weights.not_finite": "The weights hold values that are no numbers (in {name}). Get the file again.",
    "weights.no_connection": (
        "{host} cannot be reached. Check the network and try again; what has arrived is kept. "
        "You can also drop the file here."
    ),
    "weights.not_found": "{host} does not have this file (any more). Get it elsewhere and drop it here.",
    "weights.http_status": "{host} answered with the error {status}. Try again later; what has arrived is kept.",
    "weights.bad_reply": (
        "{host} sent something else than the file, perhaps a sign-in page of the network. "
        "Open a web page first, then try again."
    ),
    "weights.not_https": "The address leads to {host} without encryption (http), so nothing was fetched. Use https.",
    "weights.download_broken": (
        "The connection to {host} broke after {done} of {total} MB. Press again: it goes on from there."
    ),
    "weights.wrong_hash": (
        "The file is not the published one: its SHA-256 begins with {got}, it should begin with {expected}. "
        "It was deleted. Try again, or on another network."
    ),
    "weights.hash_changed": (
        "The file is not the one that was downloaded here first: SHA-256 {got}… instead of {expected}…. "
        "It was deleted. If the authors have replaced it, remove the entry from hashes.json in the cache."
    ),
    "weights.disk_full": "The disk is full: {needed} MB are needed, {free} MB are free. Make room and press again.",
    "weights.cache_not_writable": (
        "The cache folder cannot be written to. Set VITRINE_CACHE to a folder that can, and start again."
    ),
}
