"""Check the models on this machine's GPU against ONNX Runtime on its CPU, and time them.

    python -m tests.gpu_check [--quick]

Needs torch, numpy and onnxruntime, nothing else. Every model of the registry gets random weights, in every layout
that it is shipped in; output and every tap are compared, with TensorFloat-32 off. Without CUDA torch runs on the
CPU, and the report says so. Exit status 1 where a tensor differs by more than 1e-4 of max(1, its largest value).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import onnxruntime as ort
import torch
from torch import nn

from models import onnx_bytes
from models.build import build
from models.card import ModelCard, Weights
from models.examples import example
from models.registry import MODELS
from models.taps import record

TOLERANCE = 1e-4
REPEATS = 10
# pictures and their side, by family; of graphs: how many, their nodes each
TIMED = {"cnn": (1, 224), "vision": (1, 128), "generative": (16, 32), "graph": (1, 1024)}
PAIRS = 16  # of the possible edges of a graph one in so many is there


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """max |a - b| / max(1, max |b|); infinite where shapes differ or a value is not finite."""
    if a.shape != b.shape or not np.isfinite(a).all():
        return float("inf")
    return float(np.abs(a - b).max(initial=0.0) / max(1.0, float(np.abs(b).max(initial=0.0))))


def shaken(card: ModelCard, config: Mapping[str, Any]) -> nn.Module:
    """A model of these sizes, every tensor random, batch norm statistics too."""
    torch.manual_seed(0)
    net = build(card, config).requires_grad_(False)
    for name, value in net.state_dict().items():
        if value.is_floating_point():
            if name.endswith("running_var"):
                value.uniform_(0.5, 2)
            else:
                value.add_(torch.randn_like(value) * 0.02)
    return net


def session(graph: bytes, state: Mapping[str, np.ndarray]) -> tuple[ort.InferenceSession, object]:
    """A CPU session with these weights bound, and what must be kept alive for it."""
    options = ort.SessionOptions()
    values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in state.items()}
    options.add_external_initializers(list(values), list(values.values()))
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"]), (values, state)


def inputs_of(
    card: ModelCard, config: Mapping[str, Any], batch: int, height: int, width: int
) -> dict[str, np.ndarray]:
    lengths = {"batch": batch, "row": height, "column": width}
    lengths |= {"node": batch * height, "edge": batch * height * width // PAIRS}
    return {spec.name: example(spec, config, lengths, seed=i) for i, spec in enumerate(card.inputs)}


def layouts() -> list[tuple[ModelCard, Weights]]:
    """One set of weights for each layout; those that differ in scale or classes only are left out."""
    chosen: dict[tuple[str, str], tuple[ModelCard, Weights]] = {}
    for card in MODELS.values():
        for weights in card.weights:
            rest = {k: v for k, v in weights.config.items() if k not in ("scale", "num_classes")}
            chosen.setdefault((card.slug, repr(sorted(rest.items()))), (card, weights))
    return list(chosen.values())


def median_ms(run: Callable[[], object], repeats: int) -> float:
    """Median milliseconds of a call, after one that warms up."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def check(card: ModelCard, weights: Weights, device: torch.device, repeats: int) -> bool:
    """Compare and time one layout; print its line. Returns whether every tensor agreed."""
    net = shaken(card, weights.config)
    state = {k: v.numpy().copy() for k, v in net.state_dict().items() if v.is_floating_point()}
    net = net.to(device)
    graph = onnx_bytes.read_bytes(card.graph_path(weights))
    tapped, keep = session(graph, state)
    plain, keep_plain = session(onnx_bytes.keep_first_output(graph), state)
    names = onnx_bytes.output_names(graph)
    worst, worst_name = 0.0, ""
    for batch, height, width in ((1, 64, 64), (2, 40, 72)):
        feeds = inputs_of(card, weights.config, batch, height, width)
        arrays = tapped.run(names, feeds)
        inputs = [torch.from_numpy(array).to(device) for array in feeds.values()]
        with torch.inference_mode(), record() as taps:
            output = net(*inputs)
        tensors = {name: taps.get(name, output) for name in names}
        for name, array in zip(names, arrays, strict=True):
            found = distance(tensors[name].cpu().numpy(), array)
            if found >= worst:
                worst, worst_name = found, name

    batch, side = TIMED[card.family]
    side = side if repeats == REPEATS else min(64, side)
    feeds = inputs_of(card, weights.config, batch, side, side)
    inputs = [torch.from_numpy(array).to(device) for array in feeds.values()]
    needed = {value.name for value in plain.get_inputs()}

    def on_torch() -> None:
        with torch.inference_mode():
            net(*inputs)
        if device.type == "cuda":
            torch.cuda.synchronize()

    torch_ms = median_ms(on_torch, repeats)
    onnx_ms = median_ms(
        lambda: plain.run(None, {k: v for k, v in feeds.items() if k in needed}), max(1, repeats // 5)
    )
    fine = worst <= TOLERANCE
    shape = "x".join(map(str, next(iter(feeds.values())).shape))
    print(
        f"{card.slug + ':' + weights.id:26} {len(names):4} tensors  worst {worst:.1e} ({worst_name})  "
        f"{shape}: torch {torch_ms:8.2f} ms, ONNX on the CPU {onnx_ms:9.2f} ms  {'ok' if fine else 'DIFFERS'}",
        flush=True,
    )
    del keep, keep_plain
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="the smallest layout of each model, small pictures"
    )
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    cuda = torch.cuda.is_available()
    device = torch.device("cuda" if cuda else "cpu")
    name = torch.cuda.get_device_name(0) if cuda else "no CUDA here: torch runs on the CPU"
    print(f"torch {torch.__version__} on {name}; onnxruntime {ort.__version__} on the CPU", flush=True)
    todo = layouts()
    if args.quick:
        by_size = sorted(todo, key=lambda item: item[0].parameters(item[1].config))
        todo = [next(item for item in by_size if item[0] is card) for card in MODELS.values()]
    results = [check(card, weights, device, 3 if args.quick else REPEATS) for card, weights in todo]
    print(f"{sum(results)} of {len(results)} agree within {TOLERANCE:.0e}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
