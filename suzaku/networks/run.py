"""Running trained models: planes in, logits out, under onnxruntime or torch.

onnxruntime is what every installation has, and the faster one for a few states. For many states torch is, where it is
installed and the processor computes in bfloat16 (`torch_is_faster`). Which of them runs is settled before the first
state and never by the size of a batch: so the answer to a state is the same to the last bit, whatever is beside it.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.networks.bfloat16 import has_bfloat16
from suzaku.networks.names import inputs
from suzaku.networks.weights import read_weights

MOST = 512  # states at once: more take memory and no less time


@cache
def torch_is_faster() -> bool:
    """Whether torch is installed, and this processor multiplies in bfloat16."""
    return os.environ.get("SUZAKU_RUNTIME") != "onnxruntime" and has_bfloat16() and _torch_works()


def _torch_works() -> bool:
    """Whether torch is there; a broken installation is found only by its import."""
    try:
        import torch  # noqa: F401
    except (ImportError, OSError):
        return False
    return True


class Model:
    """One trained model."""

    def __init__(self, path: str | Path) -> None:
        """Load a checkpoint; it runs on all cores, or on as many as OMP_NUM_THREADS says."""
        import onnxruntime

        from suzaku.networks.onnx_graph import to_onnx

        tensors, self.info = read_weights(path)
        self.features = inputs(self.info["network"], self.info["model"])
        self.path = path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", 0))
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            to_onnx(tensors, self.info), options, providers=["CPUExecutionProvider"]
        )
        self._torch: Any = None
        self.many = False  # whether batches will be large

    def __call__(self, planes: np.ndarray) -> np.ndarray:
        """Logits, float32[n, answers], of encoded states, uint8[n, ...]."""
        run = self.run_torch if self.many and torch_is_faster() else self.run_onnxruntime
        if len(planes) <= MOST:
            return run(planes)
        return np.concatenate([run(planes[i : i + MOST]) for i in range(0, len(planes), MOST)])

    def run_onnxruntime(self, planes: np.ndarray) -> np.ndarray:
        """In single precision."""
        if len(planes) == 1:  # it adds up a batch of one in another order than all others
            return self.run_onnxruntime(planes.repeat(2, 0))[:1]
        return self._session.run(["logits"], {"planes": planes})[0]

    def run_torch(self, planes: np.ndarray) -> np.ndarray:
        """In bfloat16."""
        import torch

        if self._torch is None:
            from suzaku.networks.checkpoint import load
            from suzaku.networks.fold import folded

            self._torch = folded(load(self.path)[0])
        with torch.inference_mode():
            return self._torch(torch.from_numpy(planes)).float().numpy()
