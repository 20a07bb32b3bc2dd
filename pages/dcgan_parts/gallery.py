"""The samples of a seed, one of them looked at closely, and the walk between chosen ones."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine.latent import walk
from app.figures import dcgan as draw
from app.figures.charts import bars, responsive
from app.figures.overlay import Label, Rect, Shape, Style
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing, legend
from app.widgets.picture import Pick, picture
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from models.generative.gan_losses import sigmoid
from pages.dcgan_parts import view
from pages.dcgan_parts.view import CHOSEN, COORDINATE, STOPS, Scene

BETWEEN = 24  # steps of a walk from one sample to the next
AT = state.Param("at", 0, state.parse_whole(0, 10_000), str)
TURNS = np.linspace(-3.0, 3.0, 9)
EVIDENCE = state.Param("evidence", False, state.parse_flag, state.format_flag)


# ---------------------------------------------------------------- the grid


def gallery(scene: Scene) -> None:
    """All samples of the seed; a click looks at one closely. Beside it what D and the judge make of that one."""
    sheet = draw.sheet(scene.pictures[:, 0], view.COLUMNS)
    stops, chosen = scene.stops, scene.chosen

    def picked(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            state.put(CHOSEN, index)

    left, right = st.columns([3, 2], gap="large")
    with left:
        picture(
            sheet.image,
            "dcgan.sheet",
            t("dcgan.sheet.alt", count=view.COUNT, seed=scene.seed),
            overlays=_frames(sheet, stops, chosen),
            pixelated=True,
            show_pick=False,
            step=sheet.cell + sheet.gap,
            height=460,
            hint=t("dcgan.sheet.hint"),
            tiles=sheet.tiles([t("dcgan.sample", n=i) for i in range(view.COUNT)]),
            on_pick=picked,
        )
        mean = float(sigmoid(scene.logits).mean())
        sure = int((scene.readings.max(axis=1) >= view.SURE).sum())
        different = len({int(p.argmax()) for p in scene.readings})
        st.caption(
            t(
                "dcgan.sheet.says",
                mean=percent(mean),
                sure=sure,
                least=view.rounded(view.SURE),
                count=view.COUNT,
                different=different,
            )
        )
    with right:
        _closer(scene, chosen, stops)


def _frames(sheet: draw.Sheet, stops: tuple[int, ...], chosen: int) -> list[Shape]:
    """A frame around the chosen sample, and numbers on those of the walk."""
    shapes: list[Shape] = []
    for n, index in enumerate(stops):
        x, y = sheet.corner(index)
        style = Style(colour="second", width=2.0)
        shapes.append(Rect(x=x, y=y, width=sheet.cell, height=sheet.cell, style=style))
        shapes.append(Label(x=x, y=y, text=str(n + 1), below=True, style=style))
    x, y = sheet.corner(chosen)
    shapes.append(Rect(x=x, y=y, width=sheet.cell, height=sheet.cell, style=Style(width=3.0)))
    return shapes


def _closer(scene: Scene, chosen: int, stops: tuple[int, ...]) -> None:
    """The chosen sample large, D's verdict with its evidence, the judge's reading, and its place in the walk."""
    st.subheader(t("dcgan.closer", n=chosen), anchor=False)
    one, layer = scene.pictures[chosen : chosen + 1], None
    if state.get(EVIDENCE):
        layer, limit = evidence(scene, one)
    evident("dcgan.closer", one, t("dcgan.closer.alt", n=chosen), layer, opacity=0.6)
    if layer is not None:
        evidence_legend(limit)
        st.caption(t("dcgan.evidence.about"))
    p = float(sigmoid(scene.logits[chosen]))
    digit, sure = view.digit_of(scene.readings[chosen])
    with st.container(horizontal=True, key="v-dcgan-closer"):
        st.metric(t("dcgan.d"), percent(p), help=t("dcgan.d.help"))
        st.metric(t("dcgan.judge"), f"{digit} · {percent(sure)}", help=t("dcgan.judge.help"))
    with st.container(horizontal=True, vertical_alignment="center", key="v-dcgan-closer-do"):
        _stop_button(chosen, stops)
        st.toggle(t("dcgan.evidence.show"), **state.bind(EVIDENCE))
    with st.expander(t("dcgan.judge.all")):
        drawing(
            responsive(
                lambda width: bars(
                    scene.readings[chosen],
                    [str(i) for i in range(10)],
                    title=t("dcgan.judge.title", n=chosen),
                    chosen=digit,
                    width=width,
                    texts=[percent(float(v)) for v in scene.readings[chosen]],
                ),
                wide=420,
            ),
            "dcgan.judge.bars",
        )


def evidence(scene: Scene, pictures: np.ndarray) -> tuple[np.ndarray, float]:
    """D's evidence for one picture as colours (4, 4, 3), and the limit of the colour scale."""
    from app.engine import run
    from app.figures.colour import colormap

    places = run(scene.nets.discriminator, {"picture": pictures}, ["evidence"]).taps["evidence"][0, 0]
    limit = float(np.abs(places).max()) or 1.0
    return colormap(-places, "diverging", (-limit, limit)), limit


def evident(key: str, one: np.ndarray, alt: str, layer: np.ndarray | None, opacity: float) -> None:
    """One picture of the net (1, 1, H, W), large, with D's evidence over it where there is a layer of it."""
    picture(
        draw.frames(one)[0],
        key,
        alt,
        layer=layer,
        layer_opacity=opacity,
        layer_label=t("dcgan.evidence"),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=230,
        hint="",
    )


def evidence_legend(limit: float) -> None:
    """The colour scale of the evidence: what speaks for a real picture is blue, as real ones are everywhere here."""
    legend(
        "diverging",
        (-limit, limit),
        lambda v: t("dcgan.evidence.real" if v < 0 else "dcgan.evidence.generated", value=f"{abs(v):.2f}"),
    )


def _stop_button(chosen: int, stops: tuple[int, ...]) -> None:
    """Put the chosen sample into the walk, or take it out."""
    if chosen in stops:
        st.button(
            t("dcgan.walk.out"),
            key="dcgan.walk.out",
            icon=":material/remove:",
            on_click=state.put,
            args=(STOPS, tuple(i for i in stops if i != chosen)),
        )
    else:
        st.button(
            t("dcgan.walk.in"),
            key="dcgan.walk.in",
            icon=":material/add:",
            disabled=len(stops) >= view.MOST_STOPS,
            help=t("dcgan.walk.in.help", most=view.MOST_STOPS),
            on_click=state.put,
            args=(STOPS, (*stops, chosen)),
        )


# ---------------------------------------------------------------- z


def numbers(scene: Scene) -> None:
    """z of the chosen sample as bars; a click on one turns that coordinate through its range."""
    chosen = scene.chosen
    z = scene.z[chosen]
    coordinate = state.get(COORDINATE, allowed=(None, *range(len(z))))
    st.subheader(t("dcgan.z", count=len(z)), anchor=False)
    st.markdown(t("dcgan.z.about", norm=f"{np.linalg.norm(z):.2f}", root=f"{np.sqrt(len(z)):.0f}"))
    name = t("dcgan.z.bar", i="{i}", value="{value}")
    title = t("dcgan.z.title", n=chosen)
    wide = draw.z_bars(z, title=title, name=name, chosen=coordinate, width=900)
    narrow = draw.z_bars(z, title=title, name=name, chosen=coordinate, width=340, rows=3)
    drawing(
        f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>',
        "dcgan.z",
        selected=None if coordinate is None else str(coordinate),
        on_pick=lambda i: state.put(COORDINATE, int(i) if i.isdecimal() else None),
    )
    if coordinate is None:
        st.caption(t("dcgan.z.hint"))
        return
    turned = np.repeat(z[None], len(TURNS), axis=0)
    turned[:, coordinate] = TURNS
    pictures, _ = view.paint(scene.nets.generator, turned)
    readings = view.read(scene.nets.judge, pictures)
    row = draw.sheet(pictures[:, 0], len(TURNS))
    picture(
        row.image,
        "dcgan.turned",
        t("dcgan.z.turned.alt", i=coordinate),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=140,
        hint="",
    )
    digits = " ".join(str(int(p.argmax())) for p in readings)
    st.caption(t("dcgan.z.turned", i=coordinate, value=draw.minus(float(z[coordinate])), digits=digits))


# ---------------------------------------------------------------- the walk


def linear(stops: np.ndarray, between: int) -> np.ndarray:
    """The straight way through the stops, at the same steps as `walk`."""
    share = (np.arange(between) / between)[:, None]
    legs = [(1 - share) * a + share * b for a, b in zip(stops, stops[1:], strict=False)]
    return np.concatenate([*legs, stops[-1:]])


def shell(size: int) -> tuple[float, float]:
    """The lengths between which 99 % of standard normal vectors lie (their length is nearly N(sqrt(n - 1/2), 1/2))."""
    middle, spread = np.sqrt(size - 0.5), 2.576 * np.sqrt(0.5)
    return float(middle - spread), float(middle + spread)


@fragment
def stroll(scene: Scene) -> None:
    """The walk in the scrubber, spherical beside linear, with lengths, D and the judge at each step."""
    st.header(t("dcgan.walk.title"), anchor="walk")
    st.markdown(t("dcgan.walk.about"))
    stops = scene.stops
    if len(stops) < 2:
        st.info(t("dcgan.walk.few"), icon=":material/touch_app:")
        return
    ends = scene.z[list(stops)].astype(np.float64)
    paths = {"spherical": walk(ends, BETWEEN), "linear": linear(ends, BETWEEN)}
    strips, readouts, norms, scores = [], {}, {}, {}
    for name, path in paths.items():
        pictures, _ = view.paint(scene.nets.generator, path)
        strips.append(Strip(name, t(f"dcgan.walk.{name}"), draw.frames(pictures)))
        norms[name] = np.linalg.norm(path, axis=1)
        scores[name] = sigmoid(view.score(scene.nets.discriminator, pictures))
        digits = [view.digit_of(p) for p in view.read(scene.nets.judge, pictures)]
        short = t(f"dcgan.walk.{name}.short")
        readouts[t("dcgan.walk.norm", way=short)] = [f"{v:.2f}" for v in norms[name]]
        readouts[t("dcgan.walk.d", way=short)] = [percent(float(v)) for v in scores[name]]
        readouts[t("dcgan.walk.judge", way=short)] = [f"{digit} · {percent(p)}" for digit, p in digits]
    count = len(paths["linear"])
    marks = {i * BETWEEN: t("dcgan.sample", n=stop) for i, stop in enumerate(stops)}
    left, right = st.columns([3, 2], gap="large")
    with left:
        scrub = scrubber(
            strips,
            "dcgan.walk",
            readouts=readouts,
            positions=[t("dcgan.walk.step", way=f"{i / BETWEEN:.2f}") for i in range(count)],
            alt=t("dcgan.walk.alt"),
            start=0,
            report=True,
            marks=marks,
            loop=True,
            param=AT,
        )
    with right:
        low, high = shell(scene.nets.latent)
        x = np.arange(count) / BETWEEN
        flat = np.ones(count)
        series = [
            Line(t("dcgan.walk.spherical.short"), x, norms["spherical"], "accent"),
            Line(t("dcgan.walk.linear.short"), x, norms["linear"], "second"),
            Line(t("dcgan.walk.shell"), x, low * flat, "faint", True),
            Line("", x, high * flat, "faint", True),
        ]
        drawing(
            responsive(
                lambda width: lines(
                    series,
                    title=t("dcgan.walk.norms"),
                    x_label=t("dcgan.walk.axis"),
                    y_label="‖z‖",
                    marked=scrub.step / BETWEEN,
                    width=width,
                ),
                wide=460,
            ),
            "dcgan.norms",
        )
        middle = BETWEEN // 2
        angle = _angle(ends[0], ends[1])
        st.markdown(
            t(
                "dcgan.walk.says",
                angle=f"{angle:.0f}",
                spherical=f"{norms['spherical'][middle]:.2f}",
                linear=f"{norms['linear'][middle]:.2f}",
                low=f"{low:.1f}",
                high=f"{high:.1f}",
            )
        )
    shown = np.stack([s.frames for s in strips], axis=1)  # step, way, row, column, colour
    frames = np.concatenate([shown[:, 0], shown[:, 1]], axis=2)
    stem = f"dcgan-walk-{scene.seed}-{'-'.join(str(i) for i in stops)}"
    take_away(
        "dcgan.walk.take",
        stem,
        png=lambda: _contact(frames),
        tensor=np.stack([paths["spherical"], paths["linear"]]),
        axes=("way", "step", "latent"),
        link=False,
    )
    film_files("dcgan.walk.film", stem, lambda: frames, seconds=count / 12)


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    """Degrees between two vectors."""
    share = float(a @ b) / (float(np.linalg.norm(a) * np.linalg.norm(b)) or 1.0)
    return float(np.degrees(np.arccos(np.clip(share, -1.0, 1.0))))


def _contact(frames: np.ndarray, most: int = 13) -> np.ndarray:
    """Some frames of a film side by side, enlarged, the first and the last among them."""
    chosen = np.linspace(0, len(frames) - 1, min(most, len(frames))).round().astype(int)
    halves = [np.concatenate(np.split(frames[i], 2, axis=1), axis=0) for i in chosen]
    return np.concatenate(halves, axis=1).repeat(4, axis=0).repeat(4, axis=1)
