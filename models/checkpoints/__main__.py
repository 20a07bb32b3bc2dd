"""Turn a .pth into safetensors, on a machine that has torch.

    python -m models.checkpoints convert FILE.pth OUT.safetensors

The tensors keep their names. Nothing in the file is executed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from models.checkpoints import store
from models.checkpoints.convert import read_checkpoint
from models.weights_io import BadWeights


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.checkpoints", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="convert")
    convert = commands.add_parser("convert", help="write the tensors of a checkpoint as safetensors")
    convert.add_argument("file", type=Path, help="a .pth (or safetensors) file")
    convert.add_argument("out", type=Path, help="the safetensors file to write")
    args = parser.parse_args(arguments)
    try:
        tensors = read_checkpoint(args.file)
        state = {
            name: np.ascontiguousarray(value, dtype=np.float32)
            for name, value in tensors.items()
            if value.dtype.kind == "f"
        }
        store.write_state(args.out.absolute(), state, {})
    except (BadWeights, OSError) as error:
        print(f"not converted: {error}", file=sys.stderr)
        return 1
    print(f"{args.out}: {len(state)} tensors, {args.out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
