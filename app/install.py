"""Install Vitrine into `.venv` beside this checkout, then start it or test it. Standard library only.

    python3 app/install.py start [--slim] [streamlit options]
    python3 app/install.py test

Which torch: with an NVIDIA GPU, and on macOS, the one of the package index. Elsewhere PyTorch's CPU build (0.2 GB
instead of the 6 GB of the CUDA build). Where that cannot be had, `start` does without torch (every page runs on
ONNX Runtime) and `test` takes what the package index gives. pip's own settings and constraints stay in force.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = "installed.json"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # pytorch.org, "Get started", Linux, CPU
REQUIREMENTS = {
    "slim": "requirements-slim.txt",
    "full": "requirements.txt",
    "test": "requirements-test.txt",
}
OLDEST = (3, 11)
TWO_AT_A_TIME = ("-n", "2", "--dist", "loadfile")

# ---------------------------------------------------------------- decisions, without effects


def torch_source(system: str, has_gpu: bool, cpu_build: bool, purpose: str) -> str:
    """Where torch comes from: "index" (the package index), "cpu" (PyTorch's CPU index) or "none".

    system: platform.system(). cpu_build: whether a CPU build can be had from PyTorch's index.
    purpose: "start" or "test".
    """
    if has_gpu or system != "Linux":
        return "index"
    if cpu_build:
        return "cpu"
    return "none" if purpose == "start" else "index"


def wants_cuda(report: str) -> bool:
    """Whether pip's plan (`pip install --dry-run --report -`) would fetch CUDA libraries. ValueError if unreadable."""
    plan = json.loads(report)
    return any(item["metadata"]["name"].lower().startswith("nvidia-") for item in plan["install"])


def is_installed(stamp: dict[str, str], purpose: str, digests: dict[str, str], slim: bool) -> bool:
    """Whether the environment already holds what is asked: the wanted set or a larger one, of the same files."""
    if purpose == "test":
        return stamp.get("test") == digests["test"]
    sets = ("slim", "full", "test") if slim or stamp.get("torch") == "none" else ("full", "test")
    return any(stamp.get(name) == digests[name] for name in sets)


def browser_plan(found: str | None, distribution: str, can_apt: bool) -> str:
    """How the browser tests get Chromium: "there", "apt" (Debian's package) or "playwright" (its own download).

    Ubuntu's apt package only fetches a snap, so it is not asked.
    """
    if found:
        return "there"
    return "apt" if distribution == "debian" and can_apt else "playwright"


def apt_prefix(is_root: bool, has_apt: bool, has_sudo: bool) -> list[str] | None:
    """The words before `apt-get`, or None where this user cannot call it."""
    if not has_apt:
        return None
    if is_root:
        return []
    return ["sudo"] if has_sudo else None


# ---------------------------------------------------------------- the machine


def say(sentence: str) -> None:
    print(f"\n== {sentence}", flush=True)


def run(command: list[str]) -> None:
    """Run a command in the checkout; leave with its exit status where it fails."""
    print("+", " ".join(command), flush=True)
    status = subprocess.call(command, cwd=ROOT)
    if status:
        sys.exit(status)


def has_nvidia_gpu() -> bool:
    """Whether the NVIDIA driver lists a GPU."""
    if not shutil.which("nvidia-smi"):
        return False
    found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return found.returncode == 0 and "GPU" in found.stdout


def distribution() -> str:
    """ID of /etc/os-release ("debian", "ubuntu", ...), "" elsewhere."""
    file = Path("/etc/os-release")
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith("ID="):
            return line[3:].strip().strip('"')
    return ""


def find_chromium() -> str | None:
    """Path of an installed Chromium or Chrome that the browser tests look for."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def apt_install(*packages: str) -> bool:
    """Install Debian packages where this user may. Returns whether it was done."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    prefix = apt_prefix(is_root, bool(shutil.which("apt-get")), bool(shutil.which("sudo")))
    if prefix is None:
        return False
    settings = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    update = [*prefix, "apt-get", "update", "-qq"]
    install = [*prefix, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    for command in (update, install):
        print("+", " ".join(command), flush=True)
        if subprocess.call(command, env=settings) and command is install:
            return False
    return True


def python_of(venv: Path) -> str:
    return str(venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def make_venv() -> None:
    """Create `.venv`, or again where it has no pip. On a Debian without ensurepip its package comes first."""
    check = [python_of(VENV), "-m", "pip", "--version"]
    if Path(check[0]).exists() and subprocess.run(check, capture_output=True, check=False).returncode == 0:
        return
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        say(f"This Python cannot make virtual environments yet; it needs the package {package}.")
        if not apt_install(package):
            sys.exit(f"Please run:  sudo apt-get install {package}\nand then this command again.")
    say(f"Making the virtual environment {VENV}")
    run([sys.executable, "-m", "venv", "--clear", str(VENV)])


def pip(*arguments: str) -> list[str]:
    return [python_of(VENV), "-m", "pip", "install", "--disable-pip-version-check", *arguments]


def torch_packages(purpose: str) -> list[str]:
    """The lines of the requirements that PyTorch's own index serves."""
    names = {"start": ("torch",), "test": ("torch", "torchvision")}[purpose]
    lines = [line for file in REQUIREMENTS.values() for line in (ROOT / file).read_text().splitlines()]
    return [line for line in lines if line.split(">")[0] in names]


def cpu_build_of_torch(purpose: str) -> bool:
    """Whether PyTorch's CPU index answers and pip, asked without installing, would take a build without CUDA."""
    try:
        urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=8).close()
        command = pip(
            "--dry-run", "--quiet", "--report", "-", "--index-url", CPU_INDEX, *torch_packages(purpose)
        )
        plan = subprocess.run(command, capture_output=True, text=True, check=True, timeout=180)
        return not wants_cuda(plan.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return False


def digests() -> dict[str, str]:
    """One hash for each requirements file and the Python that it is installed for."""
    texts = {name: (ROOT / file).read_text() for name, file in REQUIREMENTS.items()}
    includes = {"slim": ("slim",), "full": ("slim", "full"), "test": ("slim", "full", "test")}
    return {
        name: hashlib.sha256("\n".join([sys.version, *(texts[part] for part in parts)]).encode()).hexdigest()
        for name, parts in includes.items()
    }


# ---------------------------------------------------------------- the two commands


def install(purpose: str, slim: bool) -> None:
    """Bring `.venv` to what `purpose` needs. Returns at once where nothing has changed since last time."""
    file = VENV / STAMP
    stamp = json.loads(file.read_text()) if file.exists() else {}
    if is_installed(stamp, purpose, digests(), slim):
        return
    os.environ.setdefault("PIP_RETRIES", "2")  # an index that cannot be reached is given up soon
    make_venv()
    system = platform.system()
    gpu = not slim and has_nvidia_gpu()
    source = "none"
    if not slim:
        say("Choosing the build of torch")
        ask = system == "Linux" and not gpu
        source = torch_source(system, gpu, ask and cpu_build_of_torch(purpose), purpose)
    chosen = "test" if purpose == "test" else "slim" if source == "none" else "full"
    if source == "none":
        say("Installing without torch: the pages run on ONNX Runtime.")
        if not slim:
            print(
                "No CPU build of torch could be had here and the CUDA build takes 6 GB. To take it all the same:"
            )
            print(f"  {python_of(VENV)} -m pip install -r {REQUIREMENTS['full']}")
    elif source == "cpu":
        say("Installing torch for the CPU")
        run(pip("--index-url", CPU_INDEX, *torch_packages(purpose)))
    say(f"Installing {REQUIREMENTS[chosen]}")
    run(pip("-r", REQUIREMENTS[chosen]))
    if purpose == "test":
        install_browser()
    file.write_text(json.dumps(stamp | {chosen: digests()[chosen], "torch": source}))


def install_browser() -> None:
    """See that there is a Chromium for the browser tests."""
    has_apt = bool(shutil.which("apt-get")) and (os.geteuid() == 0 or bool(shutil.which("sudo")))
    plan = browser_plan(find_chromium(), distribution(), has_apt)
    if plan == "there":
        return
    say("Installing Chromium for the browser tests")
    if plan == "apt" and apt_install("chromium", "fonts-noto-cjk"):
        return
    dependencies = ["--with-deps"] if distribution() in ("debian", "ubuntu") and has_apt else []
    run([python_of(VENV), "-m", "playwright", "install", *dependencies, "chromium"])


def start(options: list[str]) -> None:
    """Become Streamlit. Options go through to it, for example --server.port 8080."""
    say("Starting Vitrine. Stop it with Ctrl-C.")
    command = [python_of(VENV), "-m", "streamlit", "run", "app/main.py"]
    os.chdir(ROOT)
    os.execv(command[0], [*command, *options])


def test(options: list[str]) -> None:
    """Lint, types, then the tests, two files at a time, the browser's last. Leaves with 1 if anything fails."""
    steps = (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["pytest", *TWO_AT_A_TIME, "-m", "not browser", *options],
        ["pytest", *TWO_AT_A_TIME, "-m", "browser", "tests/browser", *options],
    )
    failed = []
    for step in steps:
        say(" ".join(step))
        if subprocess.call([python_of(VENV), "-m", *step], cwd=ROOT):
            failed.append(" ".join(step))
    if failed:
        sys.exit("Failed: " + "; ".join(failed))


def main() -> None:
    if sys.version_info < OLDEST:
        sys.exit("Vitrine needs Python 3.11 or newer; this is " + platform.python_version())
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "purpose", choices=("start", "test", "install"), help="install: only what start needs"
    )
    parser.add_argument("--slim", action="store_true", help="without torch, on ONNX Runtime alone")
    args, options = parser.parse_known_args()
    install("test" if args.purpose == "test" else "start", args.slim)
    if args.purpose == "start":
        start(options)
    elif args.purpose == "test":
        test(options)


if __name__ == "__main__":
    main()
