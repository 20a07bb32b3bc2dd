"""Renders the home page's pictures, each from a real run of the embedded weights: `python -m app.render_home`.

With --check nothing is written: the pictures are made anew and compared with the committed ones, and the weights
with the hash that was noted; the exit status is 1 where they differ. A model of the registry without a painter
here fails too.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from app.assets.samples import PHOTOS
from app.engine import Model, load, run
from app.engine.base import finish
from app.engine.classify import framed, prepare
from app.engine.diffuse import Path as Walk, Request, sample as diffuse
from app.engine.embed import train
from app.engine.latent import spherical
from app.engine.layout import positions
from app.engine.paint import (
    Request as DrawRequest,
    decode as decode_latents,
    load_studio,
    paint as paint_words,
)
from app.engine.project import project
from app.figures.colour import LUT
from app.figures.graph import class_colours
from app.figures.realnvp import coloured
from app.figures.realnvp_places import depths, layers
from app.figures.swinir_windows import Windows, pixels_of
from app.images import decode
from models.generative.digit_files import held_out_digits
from models.generative.flow import stretch
from models.graph.samples import build
from models.graph.task import features, inputs
from models.registry import MODELS, heads

FOLDER = Path(__file__).parent / "assets" / "home"
NOTES = FOLDER / "pictures.json"
SIZE = (720, 432)  # width, height in pixels
DCGAN_SEED = 5  # of the four corners
HEAVY = 200_000  # bytes that the home page should not spend on one picture
CLOSE = 3.0  # mean difference in levels of 255 that another engine's rounding may make


def sample(name: str) -> np.ndarray:
    """A sample photograph, uint8 (H, W, 3)."""
    path = next(s.path for s in PHOTOS if s.id == name)
    return decode(path.read_bytes(), path.name).srgb


def enlarge(image: np.ndarray, factor: int) -> np.ndarray:
    """Every pixel as a square of `factor` pixels."""
    return image.repeat(factor, 0).repeat(factor, 1)


def swinir(model: Model) -> np.ndarray:
    """A cat in 80 x 48 pixels, its shifted windows, and in each window what one pixel of it attends to."""
    factor = 9
    width, height = SIZE[0] // factor, SIZE[1] // factor
    photo = Image.fromarray(sample("chelsea"))
    scale = max(width / photo.width, height / photo.height) * 1.25  # a little closer than the whole picture
    small = photo.resize((round(photo.width * scale), round(photo.height * scale)), Image.Resampling.LANCZOS)
    left, top = (small.width - width) // 2, (small.height - height) // 3
    image = np.asarray(small)[top : top + height, left : left + width]
    padded = np.pad(image, ((0, -height % 8), (0, -width % 8), (0, 0)), "symmetric")
    last = len(model.config["depths"]) - 1
    tap = f"rstb.{last}.layer.{model.config['depths'][last] - 1}.attn.weights"
    x = padded.transpose(2, 0, 1)[None].astype(np.float32) / 255
    weights = run(model, {"image": x}, [tap]).taps[tap][0].mean(1)  # window, query, key
    m = model.config["window_size"]
    windows = Windows(height=height, width=width, size=m, shift=m // 2)
    query = (m // 2) * m + m // 2
    glow = np.zeros((height, width))
    for window in range(windows.count):
        at = pixels_of(windows, window)
        seen = (at[:, 0] < height) & (at[:, 1] < width)
        share = weights[window, query]
        glow[at[seen, 0], at[seen, 1]] = ((share - share.min()) / max(np.ptp(share), 1e-9))[seen]
    grey = image.astype(np.float64) @ [0.299, 0.587, 0.114]
    dark = 0.72 * grey[..., None] * np.array([0.72, 0.92, 0.90])
    warm = image * 0.55 + np.array([255.0, 196.0, 96.0]) * 0.45
    mixed = dark + (warm - dark) * (glow[..., None] ** 0.6)
    big = enlarge(np.clip(mixed, 0, 255).astype(np.uint8), factor)
    for start, axis in ((windows.shift, 0), (windows.shift, 1)):
        for line in range(start * factor, big.shape[axis], m * factor):
            view = big[line - 1 : line + 1] if axis == 0 else big[:, line - 1 : line + 1]
            view[...] = view // 3
    return big


def resnet18(model: Model) -> np.ndarray:
    """The picture as the net sees it, then the loudest maps of its four stages, coarser and coarser."""
    tile, across, each = 72, 10, 14
    photo = sample("chelsea")
    taps = [f"layer{i}.1.out" for i in range(1, 5)]
    maps = run(model, {"image": prepare(photo, model.preprocess)}, taps).taps
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    view = Image.fromarray(framed(photo, model.preprocess)).resize(
        (2 * tile, 2 * tile), Image.Resampling.LANCZOS
    )
    sheet[: 2 * tile, : 2 * tile] = np.asarray(view)
    places = [(r, c) for r in range(SIZE[1] // tile) for c in range(across) if r > 1 or c > 1]
    chosen = []
    for name in taps:
        stage = maps[name][0]
        loudest = np.argsort(-np.square(stage).sum((1, 2)), kind="stable")[:each]
        chosen += [stage[channel] for channel in sorted(loudest)]
    for (row, column), values in zip(places, chosen, strict=True):
        top = np.percentile(values, 99.5)
        level = (np.clip(values / top if top > 0 else values, 0, 1) * (len(LUT["sequential"]) - 1)).astype(
            int
        )
        drawn = Image.fromarray(LUT["sequential"][level]).resize((tile, tile), Image.Resampling.NEAREST)
        sheet[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile] = np.asarray(drawn)
    sheet[::tile][1:] //= 2
    sheet[:, tile::tile] //= 2
    sheet[: 2 * tile, : 2 * tile] = np.asarray(view)
    return sheet


def dcgan(model: Model) -> np.ndarray:
    """Digits on a plane through z: four corners, and spherical walks between them along rows and columns."""
    across, down, tile = 15, 9, 48
    random = np.random.Generator(np.random.Philox(key=[DCGAN_SEED, 0]))
    corners = random.standard_normal((4, int(model.config["latent"])))
    rows, columns = np.linspace(0, 1, down), np.linspace(0, 1, across)
    left, right = spherical(corners[0], corners[1], rows), spherical(corners[2], corners[3], rows)
    z = np.concatenate([spherical(a, b, columns) for a, b in zip(left, right, strict=True)])
    pictures = run(model, {"latent": z.astype(np.float32)}).output[:, 0]
    level = np.clip(pictures * 0.5 + 0.5, 0, 1)[:, 2:-2, 2:-2]
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    ink = np.array([255.0, 236.0, 200.0])
    for i, one in enumerate(level):
        row, column = divmod(i, across)
        warm = np.array([16.0, 20.0, 26.0]) + np.array([0.0, 16.0, 18.0]) * (column / across + row / down) / 2
        drawn = Image.fromarray((one * 255).astype(np.uint8)).resize((tile, tile), Image.Resampling.BICUBIC)
        share = np.asarray(drawn, np.float64)[..., None] / 255
        place = slice(row * tile, (row + 1) * tile), slice(column * tile, (column + 1) * tile)
        sheet[place] = (warm + (ink - warm) * share).astype(np.uint8)
    return sheet


def _moments(path: Walk, columns: int) -> tuple[np.ndarray, list[int]]:
    """How much signal each moment of a path has, and the moments between which it grows by equal amounts."""
    signal = np.append(path.alpha_bar, 1.0) ** 0.5
    return signal, [int(np.abs(signal - level).argmin()) for level in np.linspace(signal[0], 1, columns)]


def ddpm(model: Model) -> np.ndarray:
    """Seven digits on their way out of the noise, left to right: warm where there is signal, cold where noise."""
    rows, columns, factor, cell = 7, 12, 2, 60
    labels = (3, 8, 0, 5, 2, 9, 6)
    guidance = float(model.report.get("guidance", 2.0))
    path = finish(diffuse(model, Request(labels=labels, seed=7, steps=55, guidance=guidance)))
    signal, steps = _moments(path, columns)
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    sheet[:] = (16, 20, 23)
    top = (SIZE[1] - rows * cell) // 2
    cold, warm = np.array([96.0, 150.0, 158.0]), np.array([255.0, 226.0, 180.0])
    for column, step in enumerate(steps):
        light = cold + (warm - cold) * signal[step]
        for row in range(rows):
            grey = np.clip((path.x[step, row, 0] + 1) / 2, 0, 1)[..., None]
            tile = enlarge(
                (grey * light + (1 - grey) * np.array([16.0, 20.0, 23.0])).astype(np.uint8), factor
            )
            y, x = top + row * cell + 2, column * cell + 2
            sheet[y : y + tile.shape[0], x : x + tile.shape[1]] = tile
    return sheet


def deepwalk() -> np.ndarray:
    """The characters of Les Misérables on their way out of the random start, in the colours of their communities."""
    graph = build("miserables")
    run = finish(train("deepwalk", graph, {"dim": 32, "seed": 1}))
    *_, last = project(run.vectors)
    assert last.result is not None
    points = last.result.astype(np.float64)  # (S, N, 2)
    low, high = points.min((0, 1)), points.max((0, 1))
    scale = min((2 * side - 120) / extent for side, extent in zip(SIZE, high - low, strict=True))
    at = (points - (low + high) / 2) * [scale, -scale] + SIZE
    sheet = Image.new("RGB", (2 * SIZE[0], 2 * SIZE[1]), (16, 20, 23))
    pen = ImageDraw.Draw(sheet, "RGBA")
    colours = class_colours(len(graph.label_names))[graph.labels].astype(np.float64)
    light = (colours + (255 - colours) * 0.25).astype(int).tolist()
    for a, b in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        pen.line((*at[-1, a], *at[-1, b]), fill=(190, 210, 214, 22), width=2)
    for node in range(graph.count):
        for step in range(len(at) - 1):
            fade = int(40 + 130 * step / len(at))
            pen.line((*at[step, node], *at[step + 1, node]), fill=(*light[node], fade), width=3)
    for node in np.argsort(graph.degree):
        x, y = at[-1, node]
        r = 7 + 2.2 * float(np.sqrt(graph.degree[node]))
        pen.ellipse(
            (x - r, y - r, x + r, y + r), fill=(*light[node], 255), outline=(16, 20, 23, 255), width=3
        )
    return np.asarray(sheet.resize(SIZE, Image.Resampling.BOX))


def gcn(model: Model) -> np.ndarray:
    """The karate club as the network sees it: the colours are beliefs, and half of every edge is a message."""
    graph = build("karate")
    given = inputs(graph, features(graph).x)
    trace = run(model, {spec.name: given[spec.name] for spec in model.card.inputs}, ["layers.1.messages"])
    place = positions(graph).astype(np.float64)
    place = place if np.ptp(place[:, 0]) > np.ptp(place[:, 1]) else place[:, ::-1]
    low, high = place.min(0), place.max(0)
    at = ((place - low) / (high - low) * [1, -1] + [0, 1]) * (2 * np.array(SIZE) - 150) + 75
    sheet = Image.new("RGB", (2 * SIZE[0], 2 * SIZE[1]), (16, 20, 23))
    pen = ImageDraw.Draw(sheet, "RGBA")
    power = np.exp(trace.output - trace.output.max(1, keepdims=True))
    belief = power / power.sum(1, keepdims=True)
    ends = class_colours(2).astype(np.float64)
    mixed = belief @ (ends + (255 - ends) * 0.3)
    light = mixed.astype(int).tolist()
    size = np.linalg.norm(trace.taps["layers.1.messages"], axis=1)[: len(graph.row)]
    for a, b in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        pen.line((*at[a], *at[b]), fill=(190, 210, 214, 45), width=2)
    for e in np.argsort(size):
        a, b = int(graph.row[e]), int(graph.indices[e])
        share = float(size[e] / size.max())
        middle = (at[a] + at[b]) / 2
        pen.line((*at[a], *middle), fill=(*light[a], int(70 + 150 * share)), width=2 + round(22 * share))
    for v in np.argsort(graph.degree):
        x, y = at[v]
        r = 12 + 4.5 * float(np.sqrt(graph.degree[v]))
        pen.ellipse((x - r, y - r, x + r, y + r), fill=(*light[v], 255), outline=(16, 20, 23, 255), width=5)
    return np.asarray(sheet.resize(SIZE, Image.Resampling.BOX))


def realnvp(model: Model) -> np.ndarray:
    """Unseen digits, a row each, on their way to noise: every column is a place between couplings."""
    across, down, tile = 15, 9, 48
    pictures, labels = held_out_digits()
    chosen = pictures[[int(np.flatnonzero(labels == digit)[1]) for digit in range(1, down + 1)]]
    noise = np.random.Generator(np.random.Philox(key=[0, 0])).random((down, 1, 28, 28))
    x, _ = stretch(chosen[:, None], noise)
    found = layers(model.config)
    taps = run(model, {"x": x}, [f"coupling.{layer.index}.state" for layer in found]).taps
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for row in range(down):
        one = {name: array[row : row + 1] for name, array in taps.items()}
        states = depths(one, x[row : row + 1], found)
        for column, depth in enumerate(np.linspace(0, len(found), across).round().astype(int)):
            drawn = Image.fromarray(coloured(states[depth])).resize((tile, tile), Image.Resampling.NEAREST)
            sheet[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile] = np.asarray(drawn)
    return sheet


def vae(model: Model) -> np.ndarray:
    """The map of a code of two numbers, decoded place by place, with the codes of unseen digits in their colours."""
    across, down, tile = 15, 9, 48
    decoder = load("vae_decoder", model.weights.id, model.engine)
    pictures, labels = held_out_digits()
    codes = run(model, {"x": pictures[:, None].astype(np.float32) / 255}).output[:, 0]
    low, high = np.percentile(codes, [2.0, 98.0], axis=0)
    u, v = np.meshgrid((np.arange(across) + 0.5) / across, 1 - (np.arange(down) + 0.5) / down)
    z = np.stack([u, v], axis=-1).reshape(-1, 2) * (high - low) + low
    level = 1 / (1 + np.exp(-run(decoder, {"latent": z.astype(np.float32)}).output[:, 0]))
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    ground, ink = np.array([20.0, 24.0, 33.0]), np.array([196.0, 204.0, 214.0])
    for i, one in enumerate(level):
        row, column = divmod(i, across)
        drawn = Image.fromarray((one * 255).astype(np.uint8)).resize((tile, tile), Image.Resampling.BICUBIC)
        share = np.asarray(drawn, np.float64)[..., None] / 255
        place = slice(row * tile, (row + 1) * tile), slice(column * tile, (column + 1) * tile)
        sheet[place] = (ground + (ink - ground) * share).astype(np.uint8)
    canvas = Image.fromarray(sheet)
    pen = ImageDraw.Draw(canvas)
    for (x, y), label in zip((codes - low) / (high - low) * [1, -1] + [0, 1], labels, strict=True):
        red, green, blue = (int(c) for c in class_colours(10)[label])
        a, b = x * SIZE[0], y * SIZE[1]
        pen.ellipse((a - 4, b - 4, a + 4, b + 4), fill=(red, green, blue), outline=(12, 14, 18))
    return np.asarray(canvas)


PAINTED = ("dog", "red car", "blue heart", "penguin", "rose", "树")


def latent_diffusion(model: Model) -> np.ndarray:
    """Six words become pictures, left to right: latents on their way out of the noise, decoded."""
    columns, cell = 10, 72
    studio = load_studio(model.weights.id, model.engine)
    asked = DrawRequest(PAINTED, seed=7, steps=30, guidance=float(model.report.get("guidance", 3.0)))
    path = finish(paint_words(studio, asked))
    _, steps = _moments(path, columns)
    pixels = decode_latents(studio, path.x[steps]).transpose(1, 0, 3, 4, 2)  # (words, columns, H, W, 3)
    sheet = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for row, line in enumerate(pixels):
        for column, one in enumerate(line):
            drawn = Image.fromarray(((one + 1) * 127.5 + 0.5).clip(0, 255).astype(np.uint8))
            place = slice(row * cell, (row + 1) * cell), slice(column * cell, (column + 1) * cell)
            sheet[place] = np.asarray(drawn.resize((cell, cell), Image.Resampling.LANCZOS))
    return sheet


PAINTERS: dict[str, tuple[str, Callable[[Model], np.ndarray]]] = {
    "dcgan_generator": ("digits", dcgan),
    "ddpm": ("digits", ddpm),
    "gcn": ("karate", gcn),
    "realnvp": ("digits", realnvp),
    "latent_diffusion": ("emoji", latent_diffusion),
    "resnet18": ("emoji", resnet18),
    "swinir": ("x2", swinir),
    "vae_encoder": ("digits2", vae),
}


# Methods are trained while the picture is made.
METHOD_PAINTERS: dict[str, Callable[[], np.ndarray]] = {"deepwalk": deepwalk}


def weights_hash(slug: str) -> str:
    """SHA-256 of the weights file that a picture is made with; "" of a method, which has none."""
    if slug in METHOD_PAINTERS:
        return ""
    card = MODELS[slug]
    path = card.embedded_path(card.weights_by_id(PAINTERS[slug][0]))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def paint(slug: str, engine: str | None = None) -> np.ndarray:
    """The picture of a model or method, uint8 (432, 720, 3)."""
    if slug in METHOD_PAINTERS:
        return METHOD_PAINTERS[slug]()
    weights_id, painter = PAINTERS[slug]
    return painter(load(slug, weights_id, engine))


def differences(engine: str | None = None) -> list[str]:
    """What is not as committed, in words for the log; empty where all is current."""
    painted = PAINTERS.keys() | METHOD_PAINTERS.keys()
    found = [f"{card.slug}: no painter" for card in heads() if card.slug not in painted]
    notes = json.loads(NOTES.read_text("utf-8")) if NOTES.is_file() else {}
    for slug in sorted(painted):
        path = FOLDER / f"{slug}.webp"
        if not path.is_file():
            found.append(f"{slug}: not rendered")
            continue
        if notes.get(slug) != weights_hash(slug):
            found.append(f"{slug}: rendered with other weights")
        now = packed(Image.fromarray(paint(slug, engine)))
        old, new = (
            np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.float64)
            for data in (path.read_bytes(), now)
        )
        far = float(np.abs(old - new).mean()) if old.shape == new.shape else 255.0
        if far > CLOSE:
            found.append(f"{slug}: {far:.1f} levels away from the committed picture")
    return found


def packed(image: Image.Image) -> bytes:
    """As WebP without loss, but for noise in colour, which would be half a megabyte: that loses what no eye misses."""
    whole, slight = io.BytesIO(), io.BytesIO()
    image.save(whole, "WEBP", lossless=True, method=6)
    image.save(slight, "WEBP", quality=88, method=6)
    return min(whole.getvalue(), slight.getvalue(), key=len) if whole.tell() > HEAVY else whole.getvalue()


def write() -> None:
    """Render every picture and note the weights."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    painted = sorted(PAINTERS.keys() | METHOD_PAINTERS.keys())
    for slug in painted:
        data = packed(Image.fromarray(paint(slug)))
        (FOLDER / f"{slug}.webp").write_bytes(data)
        print(f"{slug}: {len(data) // 1024} kB")
    NOTES.write_text(json.dumps({slug: weights_hash(slug) for slug in painted}, indent=1) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed pictures instead")
    if not parser.parse_args().check:
        write()
        return 0
    found = differences()
    print("\n".join(found) or "the home page's pictures are current")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
