"""The house rules: which room may use which, and what works without torch."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys

import pytest

from tests.imports import ROOT, closure, imports_of, sources, tops

OURS = sorted(name for name in sources() if not name.startswith("tests"))
CARDS = sorted(name for name in OURS if name.endswith("_card"))
WITHOUT_TORCH = [
    *CARDS,
    "models.card",
    "models.registry",
    "models.weights_io",
    "models.checkpoints",
    *(name for name in OURS if name.startswith(("app", "pages")) and name != "app.engine.torch_engine"),
]
# distribution name -> import name, where they differ
ASKED_FOR = {
    "umap": "app.engine.project",  # which asks for it before it uses it, and says what is missing
    "pecanpy": "tests.record_pecanpy",  # a script for an environment of its own
}
IMPORT_NAMES = {"pillow": "PIL", "pillow-heif": "pillow_heif", "scikit-image": "skimage"} | {
    "scikit-learn": "sklearn",
    "umap-learn": "umap",
    "axe-playwright-python": "axe_playwright_python",
}


def offenders(room: str, *forbidden: str) -> list[str]:
    """Modules of a room that import something forbidden, even lazily."""
    found = []
    for name in OURS:
        if name == room or name.startswith(room + "."):
            bad = [i for i in imports_of(name) if any(i == f or i.startswith(f + ".") for f in forbidden)]
            found += [f"{name} imports {i}" for i in sorted(bad)]
    return found


def test_models_import_neither_app_nor_pages_nor_streamlit():
    assert offenders("models", "app", "pages", "streamlit", "tests") == []


def test_app_never_imports_pages_or_tests():
    assert offenders("app", "pages", "tests") == []


def test_figures_are_pure():
    assert offenders("app.figures", "streamlit", "torch", "onnxruntime", "app.widgets", "app.engine") == []


def test_engine_and_text_know_no_streamlit():
    assert offenders("app.engine", "streamlit", "app.widgets", "app.figures") == []
    assert offenders("app.images", "streamlit", "torch") == []


def test_pages_do_not_import_torch_or_models_code():
    assert offenders("pages", "torch", "onnxruntime", "tests") == []


def test_torch_stays_in_its_rooms():
    allowed = re.compile(r"app\.engine\.torch_engine$|models\.")
    found = [name for name in OURS if "torch" in tops(imports_of(name)) and not allowed.match(name)]
    assert found == []


@pytest.mark.parametrize("name", WITHOUT_TORCH)
def test_imports_without_torch(name: str):
    assert not {"torch", "onnx", "onnxscript"} & tops(closure(name))


def test_no_cycles_between_modules():
    """No two modules need each other in order to be imported."""
    found = []
    for name in OURS:
        for other in imports_of(name, everywhere=False) & set(OURS):
            if (
                other != name
                and name in imports_of(other, everywhere=False)
                and not name.startswith(other + ".")
            ):
                found.append((name, other))
    assert found == []


COMPOSITES = {
    "models.generative.latent_diffusion": {"models.generative.ddpm"},  # its residual blocks are DDPM's
    "models.generative.text_encoder": {"models.generative.words"},  # which number is padding
}


def test_siblings_are_imported_only_by_composites():
    """An architecture file stands alone: it imports taps, and no other file of a family but what it is made of."""
    from models.registry import MODELS

    architectures = {card.module.split(":")[0] for card in MODELS.values()}
    families = {p.name for p in (ROOT / "models").iterdir() if p.is_dir()} - {
        "training",
        "checkpoints",
        "weights",
    }
    found = {}
    for name in architectures:
        others = {i for i in imports_of(name) & set(OURS) if i.split(".")[1] in families}
        if others:
            found[name] = others
    assert found == COMPOSITES


def calls(module: str) -> list[tuple[str, ast.Call]]:
    """Dotted name and node of every call in a module."""
    tree = ast.parse(sources()[module].read_text("utf-8"))
    return [(ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("name", OURS)
def test_weights_are_data_never_code(name: str):
    """torch.load only with weights_only=True; no numpy pickles; no eval or exec."""
    for function, node in calls(name):
        words = {word.arg: ast.unparse(word.value) for word in node.keywords}
        if function == "torch.load":
            assert words.get("weights_only") == "True", f"{name}: torch.load of more than weights"
        if function in ("np.load", "numpy.load"):
            assert words.get("allow_pickle", "False") == "False", f"{name}: numpy may unpickle"
        assert function not in ("eval", "exec", "pickle.load", "pickle.loads"), f"{name} calls {function}"


def requirement_names(file: str) -> set[str]:
    """Import names of the packages in a requirements file and in those that it includes."""
    found: set[str] = set()
    for line in (ROOT / file).read_text().splitlines():
        if line.startswith("-r "):
            found |= requirement_names(line[3:].strip())
        elif line and not line.startswith("#"):
            name = re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0]
            found.add(IMPORT_NAMES.get(name, name).replace("-", "_"))
    return found


def third_party(modules: list[str]) -> dict[str, str]:
    """Imported packages that are neither ours nor Python's, each with one module that asks for it."""
    found: dict[str, str] = {}
    for module in modules:
        for name in tops(imports_of(module)):
            if name not in sys.stdlib_module_names and not (ROOT / name).is_dir():
                found.setdefault(name, module)
    return found


@pytest.mark.parametrize(
    ("file", "modules"),
    [
        (
            "requirements-slim.txt",
            [n for n in OURS if n.startswith(("app", "pages")) and n != "app.engine.torch_engine"] + CARDS,
        ),
        ("requirements.txt", [n for n in OURS if n.startswith(("app", "pages"))]),
        ("requirements-test.txt", [n for n in sources() if not n.startswith("models.training")]),
        ("requirements-training.txt", list(sources())),
    ],
)
def test_every_import_stands_in_the_requirements(file: str, modules: list[str]):
    missing = {k: v for k, v in third_party(modules).items() if k not in requirement_names(file)}
    assert {k: v for k, v in missing.items() if ASKED_FOR.get(k) != v} == {}


def test_every_requirement_has_both_bounds():
    for file in ROOT.glob("requirements*.txt"):
        for line in file.read_text().splitlines():
            if line and not line.startswith(("#", "-r")):
                assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+,<[0-9.]+", line), f"{file.name}: {line}"


def test_no_empty_rooms():
    """A package without a module is not there yet."""
    for init in ROOT.glob("[amt]*/**/__init__.py"):
        if init.stat().st_size == 0:
            assert len(list(init.parent.rglob("*.py"))) > 1, f"{init.relative_to(ROOT)} stands alone"


def test_tree_stays_small():
    """What git keeps of this checkout: under 34 MB with the generative models and the graphs, under 60 MB for ever."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    sizes = {
        name: (ROOT / name).stat().st_size
        for name in listed.stdout.split("\0")
        if name and (ROOT / name).exists()
    }
    assert sum(sizes.values()) < 34e6, sorted(sizes.items(), key=lambda item: -item[1])[:10]


def test_nothing_is_loaded_from_elsewhere():
    """Pages and components name no foreign address that a browser would fetch from."""
    fetches = re.compile(
        r"""(src|href|@import|url\()\s*=?\s*["']?https?://|import\s.*["']https?://|fetch\(["']https?:"""
    )
    for pattern in ("app/**/*.js", "app/**/*.css", "app/**/*.html"):
        for file in ROOT.glob(pattern):
            assert not fetches.search(file.read_text("utf-8")), file


BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('torch', 'onnx', 'onnxscript', 'torchvision'):
            raise ModuleNotFoundError(f'{name} is blocked', name=name)
sys.meta_path.insert(0, Blocker())
"""


def run_without_torch(code: str, timeout: float = 240) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_cards_import_with_torch_blocked():
    names = [
        name
        for name in WITHOUT_TORCH
        if not name.startswith(("pages", "app.main", "app.widgets", "app.install"))
    ]
    run_without_torch(f"import importlib\nfor name in {names!r}: importlib.import_module(name)")


WALK = """
import os
from pathlib import Path
os.environ['VITRINE_ENGINE'] = 'onnx'
from streamlit.testing.v1 import AppTest
app = AppTest.from_file('app/main.py', default_timeout=120).run()
assert not app.exception, app.exception
for page in sorted(Path('pages').glob('*.py')):
    app.switch_page(str(page.resolve())).run()
    assert not app.exception, (page, app.exception)
    assert app.title or app.header or app.markdown, page
assert 'torch' not in sys.modules
"""


@pytest.mark.slow
def test_every_page_walks_with_torch_blocked():
    run_without_torch(WALK)


def test_pages_and_cards_are_one_to_one():
    from models.card import Card
    from models.registry import METHODS, MODELS

    pages = {path.stem for path in (ROOT / "pages").glob("*.py")}
    cards: tuple[Card, ...] = (*MODELS.values(), *METHODS.values())
    assert {card.page for card in cards} <= pages
    for card in cards:  # a model and its parts share a page
        assert importlib.util.find_spec(card.module.split(":")[0]) is not None
        assert f"models.{card.family}.{card.slug}_card" in sources()
