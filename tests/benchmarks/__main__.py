"""Measure against the peers on an idle machine and write RESULTS.md.

python -m tests.benchmarks                # everything, about ten minutes on two cores
python -m tests.benchmarks resnet18       # some cases; RESULTS.md is written only by a whole run
python -m tests.benchmarks --smoke        # small and quick, to see that it works
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path

import torch

from app.settings import settings
from tests.benchmarks import million
from tests.benchmarks.cases import CASES, PAIRS
from tests.benchmarks.timing import HEADER, Comparison

RESULTS = Path(__file__).with_name("RESULTS.md")
PAGES = ("swinir",)  # where a click on the first picture changes another one
PACKAGES = (
    "torch",
    "torchvision",
    "torch_geometric",
    "spandrel",
    "diffusers",
    "gensim",
    "onnxruntime",
    "streamlit",
)


def processor() -> str:
    """The processor's name."""
    file = Path("/proc/cpuinfo")
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def clicks_row(page: str, engine: str, times: list[float]) -> str:
    low, middle, high = statistics.quantiles(times, n=4)
    return (
        f"| {page} on {engine} | {middle:.0f} | {low:.0f} to {high:.0f} | {max(times):.0f} | {len(times)} |"
    )


def report(results: list[Comparison], large: str, clicks: list[str], drags: list[str], threads: int) -> str:
    """RESULTS.md."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Written by `python -m tests.benchmarks`. Both sides of a line run in one process, in turns, on the same",
            f"number of threads ({threads}), with nothing else running; equal outputs are asserted first. The ratio is",
            "taken pair by pair: its median and quartiles are given. Below 1, ours is the faster.",
            "",
            f"{date.today().isoformat()}, {processor()}, {threads} threads; Python {platform.python_version()},",
            f"{versions}.",
            "",
            HEADER,
            *(result.row() for result in results),
            "",
            "## LINE on a million edges",
            "",
            "Both orders, one pass over the edges each, in a process of its own, whose peak of memory is given.",
            "",
            million.HEADER,
            large,
            "",
            "## From a click to the changed picture, in Chromium",
            "",
            "Milliseconds from the release of the button to the frame that shows another picture, the whole way:",
            "browser, server, net, drawing, browser.",
            "",
            "| page | median | quartiles | slowest | clicks |\n|---|---|---|---|---|",
            *clicks,
            "",
            "## While a scrubber or a cloud is dragged, in Chromium",
            "",
            "Distinct frames in a second, moved by mouse: three strips of four digits side by side through 60 steps;",
            "points of a graph through 41 moments. Drawn without a graphics card.",
            "",
            "| dragged | median | seconds from to | reruns | target |\n|---|---|---|---|---|",
            *drags,
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "cases", nargs="*", help=f"of {', '.join([*CASES, 'million', 'browser'])} (default: all)"
    )
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument(
        "--smoke", action="store_true", help="small sizes, few pairs, no browser, nothing written"
    )
    args = parser.parse_args()
    chosen = args.cases or ([*CASES] if args.smoke else [*CASES, "million", "browser"])
    threads = settings().threads
    torch.set_num_threads(threads)
    busy = os.getloadavg()[0]
    if busy > 0.7:
        print(f"Beware: something else is running here (load {busy:.1f}).", file=sys.stderr)
    results: list[Comparison] = []
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            if name in CASES:
                small = {"pairs": 3, "quick": True} if args.smoke else {"pairs": args.pairs}
                for result in CASES[name](Path(folder), **small):
                    results.append(result)
                    print(result.row(), flush=True)
    large = ""
    if "million" in chosen:
        large = million.in_its_own_process()
        print(large, flush=True)
    clicks: list[str] = []
    drags: list[str] = []
    smooth = True
    if "browser" in chosen:
        from tests.benchmarks.browser import click_to_picture, dragged

        for page in PAGES:
            for engine in ("onnx", "torch"):
                clicks.append(clicks_row(page, engine, click_to_picture(page, engine, args.pairs)))
                print(clicks[-1], flush=True)
        for drag in dragged():
            drags.append(drag.row())
            smooth &= drag.passed
            print(drags[-1], flush=True)
    if not args.cases and not args.smoke:
        RESULTS.write_text(report(results, large, clicks, drags, threads), "utf-8")
    missed = [result.name for result in results if not result.passed and not args.smoke]
    missed += [] if smooth else ["dragging"]
    if missed:
        print("Missed:", "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
