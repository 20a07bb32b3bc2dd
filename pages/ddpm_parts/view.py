"""What a visitor of the DDPM page can choose, all of it in the link; the scene that follows from it; and its run."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from app.engine import Cancel, Model, load
from app.engine.base import finish
from app.engine.diffuse import MAX_GUIDANCE, MIN_STEPS, Path, Progress, Request, null_label, sample
from app.figures.printed import significant
from app.text import language, t
from app.widgets import state
from app.widgets.progress import job, size_of

# ---------------------------------------------------------------- choices, kept in the link

MIX = -1  # "one of each": every sample has a class of its own
MOST_SAMPLES = 4
MOST_SEED = 2**31 - 1
STEPS_OFFERED = (5, 10, 15, 20, 25, 50, 100, 250, 500, 1000)

LABEL = state.Param("class", 3, state.parse_whole(MIX, 999), str)
SEED = state.Param("seed", 7, state.parse_whole(0, MOST_SEED), str)
STEPS = state.Param("steps", 25, state.parse_whole(MIN_STEPS, 1000), str)
SAMPLER: state.Param[str] = state.Param("sampler", "ddim", allowed=("ddim", "ddpm"))
ETA = state.Param("eta", 0.0, state.parse_number(0.0, 1.0), state.format_number)
GUIDANCE = state.Param(
    "guidance", -1.0, state.parse_number(0.0, 10.0), state.format_number
)  # -1: the recommended
SAMPLES = state.Param("samples", 2, state.parse_whole(1, MOST_SAMPLES), str)
CLIP = state.Param("clip", True, state.parse_flag, state.format_flag)

STEP = state.Param(
    "step", -1, state.parse_whole(-1, 999), str
)  # index of the shown frame, -1: the finished picture
LOOK = state.Param("look", 0, state.parse_whole(0, MOST_SAMPLES - 1), str)  # the sample that is looked into

BRANCH = state.Param("branch", -1, state.parse_whole(-1, 999), str)  # kept frame of the fork, -1: none yet
BRANCH_LABEL = state.Param("branch_class", MIX, state.parse_whole(MIX, 999), str)  # MIX: as it was
BRANCH_SEED = state.Param("branch_seed", -1, state.parse_whole(-1, MOST_SEED), str)  # -1: as it was
BRANCH_SHOW: state.Param[str] = state.Param("branch_show", "x_0", allowed=("x_0", "x_t"))
BRANCH_ETA = state.Param("branch_eta", -1.0, state.parse_number(-1.0, 1.0), state.format_number)

assert GUIDANCE.parse("10") <= MAX_GUIDANCE


# ---------------------------------------------------------------- classes


def classes(model: Model) -> int:
    """How many classes the weights know; that number itself is the label of "none"."""
    return null_label(model)


def class_name(model: Model, label: int) -> str:
    """What a class is called in the visitor's language; the null class is "any"."""
    if label == MIX:
        return t("ddpm.class.mix")
    if label >= classes(model):
        return t("ddpm.class.none")
    if is_digits(model):
        return str(label)
    entries = model.report.get("classes") or []
    if label < len(entries):
        entry = entries[label]
        if isinstance(entry, Mapping):
            return str(entry.get(language()) or entry.get("en") or label)
        return str(entry)
    return str(label)


def is_digits(model: Model) -> bool:
    """Whether the weights draw what the judge can read."""
    return int(model.config["in_channels"]) == 1


def labels_of(model: Model, label: int, count: int, seed: int) -> tuple[int, ...]:
    """The class of each sample. "One of each" goes on from the seed, so that another seed brings other classes."""
    if label == MIX:
        return tuple((seed + i) % classes(model) for i in range(count))
    return (label,) * count


# ---------------------------------------------------------------- the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """A path from noise to pictures, and what it was asked for. labels: the class of each sample."""

    model: Model
    request: Request
    path: Path

    @property
    def labels(self) -> tuple[int, ...]:
        return self.request.labels

    @property
    def count(self) -> int:
        """Samples."""
        return len(self.request.labels)

    @property
    def frames(self) -> int:
        """Kept steps S; the finished picture is one more."""
        return len(self.path.t)

    @property
    def id(self) -> str:
        """Names the path in caches."""
        return name_of(self.model, self.request)

    def shown_t(self, frame: int) -> int:
        """t as the paper counts: 1000 is pure noise, 0 the finished picture."""
        return 0 if frame >= self.frames else int(self.path.t[frame]) + 1


def name_of(model: Model, request: Request, *more: object) -> str:
    """Names what a request makes of these weights. more: where a continued path comes from (its start has no name)."""
    said = repr((model.key, replace(request, start=None), *more))
    return hashlib.blake2b(said.encode(), digest_size=12).hexdigest()


def recommended(model: Model) -> float:
    """The guidance with which the weights were scored."""
    return float(model.report.get("guidance", 2.0))


def guidance_now(model: Model) -> float:
    """The chosen guidance; the recommended one where none was chosen."""
    chosen = state.get(GUIDANCE)
    return recommended(model) if chosen < 0 else chosen


def request_of(model: Model) -> Request:
    """What the choices of this moment ask for."""
    count, seed = state.get(SAMPLES), state.get(SEED)
    legal = [MIX, *range(classes(model) + 1)]
    sampler = state.get(SAMPLER)
    return Request(
        labels=labels_of(model, state.get(LABEL, allowed=legal), count, seed),
        seed=seed,
        steps=state.get(STEPS),
        eta=state.get(ETA) if sampler == "ddim" else 0.0,
        guidance=guidance_now(model),
        sampler=sampler,
        clip=state.get(CLIP),
    )


def frame_now(scene: Scene) -> int:
    """The frame that the slider shows: 0 … S, S being the finished picture."""
    step = state.get(STEP)
    return scene.frames if step < 0 else min(step, scene.frames)


def look_now(scene: Scene) -> int:
    """The sample that is looked into."""
    return min(state.get(LOOK), scene.count - 1)


# ---------------------------------------------------------------- runs


class Shelf:
    """Finished paths of the process by model and request, bounded by bytes; the least recently used go. A path depends
    on nothing but these two, so visitors may share it. Thread safe."""

    def __init__(self, limit: int = 192 * 2**20):
        self._limit, self._lock = limit, threading.Lock()
        self._paths: OrderedDict[str, Path] = OrderedDict()

    def get(self, key: str) -> Path | None:
        with self._lock:
            path = self._paths.get(key)
            if path is not None:
                self._paths.move_to_end(key)
            return path

    def put(self, key: str, path: Path) -> None:
        with self._lock:
            self._paths[key] = path
            self._paths.move_to_end(key)
            total = sum(size_of(p) for p in self._paths.values())
            for old in list(self._paths)[:-1]:
                if total <= self._limit:
                    break
                total -= size_of(self._paths.pop(old))


SHELF = Shelf()
AT_ONCE = 1.2  # seconds of work that a visitor waits for without a progress bar
GUESS = 0.004  # seconds a sample and step before anything was measured


def seconds_for(model: Model, request: Request) -> float:
    """How long a run will take, from the last one measured."""
    rate = float(model.notes.get("seconds_per_sample_step", GUESS))
    guided = request.guidance not in (0, 1) and set(request.labels) != {null_label(model)}
    first = 0 if request.start is None else request.start.step
    return rate * len(request.labels) * (2 if guided else 1) * (request.steps - first)


def path_now(name: str, model: Model, request: Request) -> Path:
    """The path of a request from the shelf, or sampled while the visitor waits."""
    path = SHELF.get(name)
    if path is None:
        path = finish(sample(model, request))
        SHELF.put(name, path)
    return path


def run_path(key: str, name: str, model: Model, request: Request) -> Path | None:
    """The path of a request: from the shelf, at once where it is quick, else with a progress bar (None until done).

    key: of the job. name: of the path on the shelf, see `name_of`.
    """
    found = SHELF.get(name)
    if found is not None:
        return found
    if seconds_for(model, request) <= AT_ONCE:
        with st.spinner(t("ddpm.running"), show_time=False):
            return path_now(name, model, request)

    def start(cancel: Cancel) -> Iterator[Progress]:
        for item in sample(model, request, cancel):
            if item.result is not None:
                SHELF.put(name, item.result)
            yield item

    outcome = job(key, name, start, text=lambda item: t("ddpm.progress", done=item.done, total=item.total))
    return None if outcome.result is None else outcome.result


def sampled(model: Model, request: Request) -> Scene | None:
    """The scene of a request. While a longer one is worked on, and where it was stopped, the one before stays; a
    visitor who had none sees the same noise in a few steps."""
    path = run_path("ddpm.sample", name_of(model, request), model, request)
    if path is not None:
        st.session_state["ddpm.last"] = (model.card.slug, model.weights.id, model.engine, request)
        return Scene(model, request, path)
    before = st.session_state.get("ddpm.last")
    if before is None:
        short = replace(request, steps=min(request.steps, STEPS.default))
        st.caption(t("ddpm.meanwhile", **request_words(short)))
        return Scene(model, short, path_now(name_of(model, short), model, short))
    slug, weights, engine, asked = before
    old = load(slug, weights, engine)
    kept = SHELF.get(name_of(old, asked))
    if kept is None:
        return None
    st.caption(t("ddpm.before", **request_words(asked)))
    return Scene(old, asked, kept)


def request_words(request: Request) -> dict[str, str]:
    """A request in figures, for a sentence."""
    return {"seed": str(request.seed), "steps": str(request.steps), "guidance": f"{request.guidance:g}"}


# ---------------------------------------------------------------- the controls


def _dice() -> None:
    """Another seed: the next of a fixed shuffle, so that a class in front of a projector can repeat it."""
    state.put(SEED, (state.get(SEED) * 48271 + 11) % 10_000)


def choose_what() -> None:
    """Which noise, and how many samples."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.number_input(
            t("ddpm.seed"), 0, MOST_SEED, step=1, help=t("ddpm.seed.help"), width=140, **state.bind(SEED)
        )
        st.button(t("ddpm.dice"), key="ddpm.dice", icon=":material/casino:", on_click=_dice)
    with right:
        st.segmented_control(
            t("ddpm.samples"),
            list(range(1, MOST_SAMPLES + 1)),
            required=True,
            **state.bind(SAMPLES),
        )


def choose_class(model: Model) -> None:
    """What should come out of the noise."""
    legal = [*range(classes(model)), MIX, classes(model)]
    st.pills(
        t("ddpm.class"),
        legal,
        format_func=lambda label: class_name(model, label),
        required=True,
        help=t("ddpm.class.help"),
        wrap=True,
        **state.bind(LABEL, allowed=legal),
    )


def choose_how(model: Model) -> None:
    """How many steps, and how much the class counts."""
    left, right = st.columns(2, gap="medium")
    offered = sorted({*STEPS_OFFERED, state.get(STEPS)})  # a link may hold a number in between
    with left:
        st.select_slider(t("ddpm.steps"), offered, help=t("ddpm.steps.help"), **state.bind(STEPS))
    with right:
        _choose_guidance(model)


def choose_sampler() -> None:
    """The sampler and its noise, folded away: the title says what is set."""
    sampler, eta = state.get(SAMPLER), state.get(ETA)
    said = f"DDIM, η = {eta:g}" if sampler == "ddim" else "DDPM"
    with st.expander(
        t("ddpm.how", sampler=said), key="ddpm.how"
    ):  # the key keeps it open when its title changes
        st.segmented_control(
            t("ddpm.sampler"),
            ("ddim", "ddpm"),
            format_func=str.upper,
            required=True,
            help=t("ddpm.sampler.help"),
            **state.bind(SAMPLER),
        )
        st.slider(
            t("ddpm.eta"),
            0.0,
            1.0,
            step=0.05,
            format="%g",
            disabled=sampler == "ddpm",
            help=t("ddpm.eta.help"),
            **state.bind(ETA),
        )
        st.toggle(t("ddpm.clip"), help=t("ddpm.clip.help"), **state.bind(CLIP))


def _choose_guidance(model: Model) -> None:
    """The guidance. What is recommended does not stand in the link, so other weights bring their own."""
    st.slider(
        t("ddpm.guidance"),
        0.0,
        10.0,
        step=0.5,
        format="%g",
        help=t("ddpm.guidance.help"),
        **state.follow(GUIDANCE, recommended(model)),
    )


# ---------------------------------------------------------------- words of a frame


def position_words(scene: Scene) -> list[str]:
    """What each frame of the scrubber is called, the finished picture last."""
    return [f"t = {scene.shown_t(f)}" for f in range(scene.frames)] + [t("ddpm.position.done")]


def readouts(scene: Scene) -> dict[str, list[str]]:
    """Alpha-bar and signal-to-noise of each frame, the finished picture last."""
    path = scene.path
    return {
        t("ddpm.read.alpha_bar"): [*(significant(float(a)) for a in path.alpha_bar), "1"],
        t("ddpm.read.snr"): [*(significant(float(s)) for s in path.snr), "∞"],
    }
