"""ONNX Runtime on the CPU: graphs without weights, bound to a weights file when the session is made.

Two sessions a model. The plain one has the model's own output only, so that the runtime may fuse across taps;
the tapped one keeps every output and is made when a tap is first asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import onnxruntime as ort

from app.engine.base import Cancel, Cancelled, EngineError, watched
from models import onnx_bytes
from models.weights_io import check_state

NO_MEMORY = ("Failed to allocate memory", "bad_alloc")
FATAL = 4  # log level: errors come back as exceptions, and a cancelled run is none


class OnnxRunner:
    """Runs one graph with one set of weights.

    Raises BadWeights where the weights do not fit the graph, EngineError("engine.bad_graph") where the file is none.
    """

    def __init__(self, graph: Path, state: Mapping[str, np.ndarray], threads: int):
        self._threads = threads
        try:
            self._model = onnx_bytes.read_bytes(graph)
            expected = onnx_bytes.external_shapes(self._model)
            self.outputs = onnx_bytes.output_names(self._model)
        except ValueError as error:
            raise EngineError("engine.bad_graph", file=graph.name, detail=str(error)) from error
        check_state(state, expected)
        # The sessions read these buffers for as long as they live: keep arrays and OrtValues.
        self._arrays = {name: np.ascontiguousarray(state[name], dtype=np.float32) for name in expected}
        self._values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in self._arrays.items()}
        self._lock = threading.Lock()
        self._tapped: ort.InferenceSession | None = None
        self._plain = self._session(onnx_bytes.keep_first_output(self._model))

    def _session(self, model: bytes) -> ort.InferenceSession:
        options = ort.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        # The arena is given back after each run (below). Without it a 128x128 tile of SwinIR left 360 MB in malloc's
        # hands instead of 80, or, with malloc told to return large blocks, took 3.5 times the CPU time in page faults.
        options.enable_cpu_mem_arena = True
        options.enable_mem_pattern = False  # shapes vary: a pattern would be kept for each
        options.log_severity_level = FATAL
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_external_initializers(list(self._values), list(self._values.values()))
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def _tapped_session(self) -> ort.InferenceSession:
        with self._lock:
            if self._tapped is None:
                self._tapped = self._session(self._model)
            return self._tapped

    def run(
        self, feeds: Mapping[str, np.ndarray], taps: Collection[str], cancel: Cancel | None
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Output and wanted taps. Raises Cancelled, also in the middle of the graph."""
        output = self.outputs[0]
        extra = [name for name in dict.fromkeys(taps) if name != output]
        session = self._tapped_session() if extra else self._plain
        options = ort.RunOptions()
        options.log_severity_level = FATAL
        options.only_execute_path_to_fetches = True
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")

        def stop() -> None:
            options.terminate = True

        try:
            with watched(cancel, stop):
                arrays = session.run([output, *extra], dict(feeds), options)
        except Exception as error:
            if cancel is not None and cancel.is_set():
                raise Cancelled from error
            if isinstance(error, MemoryError) or any(words in str(error) for words in NO_MEMORY):
                raise EngineError("engine.out_of_memory") from error
            raise
        kept = dict(zip(extra, arrays[1:], strict=True))
        if output in taps:
            kept[output] = arrays[0]
        return arrays[0], kept

    def gradient(self, feeds: Mapping[str, np.ndarray], tap: str, target: int) -> np.ndarray:
        """ONNX Runtime differentiates nothing. Raises EngineError("engine.needs_torch")."""
        raise EngineError("engine.needs_torch")

    def gradient_input(self, feeds: Mapping[str, np.ndarray], tap: str, index: tuple[int, ...]) -> np.ndarray:
        raise EngineError("engine.needs_torch")
