"""Photographs for super-resolution training, out of Debian packages.

    python -m models.training.photos            # fetch, unpack, select, write the cache

Each package is fetched by name with apt-get and its SHA-256 is compared with `DEBS`. Photographs are scaled
down far enough that compression artefacts vanish, and kept as PNG beside an index that names their origin.
Flat pictures (drawn gradients, letters on white) carry no detail to learn from and are left out by a threshold
on what a bicubic round trip loses. The five scikit-image photographs of the benchmark come from elsewhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image


@dataclass(frozen=True, kw_only=True)
class Deb:
    """One Debian package (version as in bookworm) and the licences its `copyright` file gives the pictures."""

    name: str
    version: str
    sha256: str
    licence: str


DEBS = (
    Deb(
        name="plasma-workspace-wallpapers",
        version="4:5.27.5-2",
        sha256="32cd18b71c8c938a18b3b351f217c02ac590e323caa3cf322fbb875ce8892f8b",
        licence="GPL-2+; by their own metadata LGPL-3 or CC-BY-SA-4.0",
    ),
    Deb(
        name="ukui-wallpapers",
        version="20.04.3-1.1",
        sha256="6d49be70152e6d603163458e177e501deb0be8f2916389ccbfcf59b0d7fc0262",
        licence="CC-BY-SA-3.0",
    ),
    Deb(
        name="lomiri-wallpapers-16.04",
        version="20.04.0-2",
        sha256="a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab",
        licence="CC-BY-4.0, CC-BY-SA-4.0, CC0-1.0",
    ),
    Deb(
        name="lomiri-wallpapers-20.04",
        version="20.04.0-2",
        sha256="d44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709",
        licence="CC-BY-SA-3.0",
    ),
    Deb(
        name="mate-backgrounds",
        version="1.26.0-1",
        sha256="7bf4c2209f34b4f61ba6d24c8b58c28b361e82e4b943aae6d42c030169af9e04",
        licence="GPL-2+",
    ),
    Deb(
        name="gcompris-qt-data",
        version="3.1-2",
        sha256="e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f",
        licence="GPL-3+, CC0-1.0, CC-BY, CC-BY-SA, GFDL-1.2, public domain, photograph by photograph",
    ),
    Deb(
        name="palapeli-data",
        version="4:22.12.3-1",
        sha256="69a15dce2ac25ed8708ac518cd0cee5f4eb0c70ed15da2fdb8899a19ac0ee058",
        licence="public domain or GFDL, photograph by photograph",
    ),
)

LONGEST = 1200  # pixels, the long side of a kept photograph
SHRINK = 0.65  # compressed originals are scaled by at most this, which hides their block noise
FLATTEST = 39.5  # dB: a picture that bicubic x2 restores better than this has too little detail
SHORTEST = 256  # pixels, the least short side

# GCompris keeps its pictures in Qt resource bundles; these bundles hold photographs, the others drawings.
GCOMPRIS_BUNDLES = (
    "erase",
    "explore_farm_animals",
    "explore_monuments",
    "explore_world_animals",
    "explore_world_music",
)

# Kept out of training, for choosing settings and checkpoints: three animals, a building, a forest, a still life.
VALIDATION = (
    "palapeli-data/castle-maintenon",
    "palapeli-data/panther-chameleon-female",
    "plasma-workspace-wallpapers/Path",
    "plasma-workspace-wallpapers/ColorfulCups",
    "lomiri-wallpapers-16.04/Picture_0B_by_freespace",
    "gcompris-qt-data/explore_world_animals_004",
)


def cache_dir() -> Path:
    """Where recipes keep what they fetch: $VITRINE_TRAINING_CACHE, or ~/.cache/vitrine-training."""
    return Path(os.environ.get("VITRINE_TRAINING_CACHE", "~/.cache/vitrine-training")).expanduser()


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetch_deb(deb: Deb) -> Path:
    """Download one package (once), check its hash, unpack it. Returns the folder with its files."""
    store, target = cache_dir() / "deb", cache_dir() / "debx" / deb.name
    store.mkdir(parents=True, exist_ok=True)
    archive = store / f"{deb.name}_{deb.version.replace(':', '%3a')}_all.deb"
    if not archive.exists():
        subprocess.run(["apt-get", "download", f"{deb.name}={deb.version}"], cwd=store, check=True)
    found = sha256_of(archive)
    if found != deb.sha256:
        raise ValueError(f"{archive.name} has SHA-256 {found}, expected {deb.sha256}")
    if not target.exists():
        target.mkdir(parents=True)
        subprocess.run(["dpkg", "-x", str(archive), str(target)], check=True)
    return target


def carve_webp(bundle: bytes, least_bytes: int = 25_000) -> Iterator[bytes]:
    """Every WebP picture stored uncompressed in a Qt resource bundle."""
    at = bundle.find(b"RIFF")
    while at >= 0:
        if bundle[at + 8 : at + 12] == b"WEBP":
            size = struct.unpack("<I", bundle[at + 4 : at + 8])[0] + 8
            if size >= least_bytes:
                yield bundle[at : at + size]
        at = bundle.find(b"RIFF", at + 4)


def pictures_of(deb: Deb, root: Path) -> Iterator[tuple[str, Image.Image]]:
    """(name, picture) of each distinct picture of a package: the largest size of each wallpaper."""
    if deb.name == "gcompris-qt-data":
        for name in GCOMPRIS_BUNDLES:
            bundle = next(root.rglob(f"{name}.rcc")).read_bytes()
            for i, data in enumerate(carve_webp(bundle)):
                yield f"{deb.name}/{name}_{i:03d}", Image.open(io.BytesIO(data))
        return
    largest: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".webp") or "share/doc" in str(path):
            continue
        if path.stem == "screenshot" or path.is_symlink():
            continue
        parts = path.parts
        wallpaper = parts[parts.index("contents") - 1] if "contents" in parts else path.stem
        if wallpaper not in largest or path.stat().st_size > largest[wallpaper].stat().st_size:
            largest[wallpaper] = path
    for name, path in largest.items():
        yield f"{deb.name}/{name}", Image.open(path)


def shrink(picture: Image.Image) -> Image.Image:
    """Scale down to LONGEST, and by SHRINK at least, so that what remains is sharp and free of artefacts."""
    factor = min(SHRINK, LONGEST / max(picture.size))
    width, height = (max(1, round(side * factor)) for side in picture.size)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def on_white(picture: Image.Image) -> Image.Image:
    """RGB without transparency."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    rgba = picture.convert("RGBA")
    base = Image.new("RGBA", rgba.size, "white")
    return Image.alpha_composite(base, rgba).convert("RGB")


def lost_by_bicubic(picture: Image.Image, scale: int = 2) -> float:
    """PSNR in dB, over RGB, after scaling down and up again: low where there is much detail."""
    width, height = (side - side % scale for side in picture.size)
    picture = picture.crop((0, 0, width, height))
    small = picture.resize((width // scale, height // scale), Image.Resampling.BICUBIC)
    back = small.resize((width, height), Image.Resampling.BICUBIC)
    error = np.asarray(picture, np.float32) - np.asarray(back, np.float32)
    return float(10 * np.log10(255**2 / max(float((error**2).mean()), 1e-6)))


def thumbnail_print(picture: Image.Image) -> np.ndarray:
    """(64,) mean-free 8x8 grey thumbnail, unit length: near-duplicates have a dot product close to 1."""
    grey = np.asarray(picture.convert("L").resize((8, 8), Image.Resampling.BOX), np.float32).ravel()
    grey -= grey.mean()
    return grey / max(float(np.linalg.norm(grey)), 1e-6)


def prepare() -> Path:
    """Fill `<cache>/photos` with PNG files and index.json (name, licence, detail). Returns the folder."""
    Image.MAX_IMAGE_PIXELS = None  # the packages are hashed, and some wallpapers are large
    folder = cache_dir() / "photos"
    folder.mkdir(parents=True, exist_ok=True)
    index: list[dict] = []
    prints: list[np.ndarray] = []
    for deb in DEBS:
        for name, picture in pictures_of(deb, fetch_deb(deb)):
            picture = shrink(on_white(picture))
            detail = lost_by_bicubic(picture)
            if min(picture.size) < SHORTEST or detail > FLATTEST:
                continue
            mark = thumbnail_print(picture)
            if any(float(mark @ other) > 0.97 for other in prints):
                continue
            prints.append(mark)
            file = name.replace("/", "__") + ".png"
            picture.save(folder / file, compress_level=1)
            index.append(
                {
                    "name": name,
                    "file": file,
                    "package": deb.name,
                    "licence": deb.licence,
                    "bicubic_db": round(detail, 2),
                }
            )
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    return folder


def load_photos(split: str) -> dict[str, np.ndarray]:
    """Photographs by name, uint8 (H, W, 3). split: "train" or "validation" (`VALIDATION`)."""
    folder = cache_dir() / "photos"
    if not (folder / "index.json").exists():
        prepare()
    index = json.loads((folder / "index.json").read_text())
    wanted = [e for e in index if (e["name"] in VALIDATION) == (split == "validation")]
    return {e["name"]: np.asarray(Image.open(folder / e["file"]).convert("RGB")) for e in wanted}


if __name__ == "__main__":
    where = prepare()
    print(f"{len(json.loads((where / 'index.json').read_text()))} photographs in {where}")
