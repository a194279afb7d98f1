"""Running trained models: planes in, logits out, under onnxruntime or torch.

- Whether a machine multiplies in bfloat16. Where it does not, torch imitates it, and float32 is the faster one.
- Running trained models: planes in, logits out, under onnxruntime or torch.
"""

import contextlib
import copy
import hashlib
import os
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from suzaku.networks.info import CheckpointError, Info, check_shapes, misfit, read_weights
from suzaku.networks.spec import ModelSpec, spec_of

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes


# The machine is asked, not timed: all workers of a match and all pieces of a run must come to the same answer.

CPUINFO = Path("/proc/cpuinfo")
FLAGS = {"avx512_bf16", "amx_bf16"}


@cache
def has_bfloat16(device: str = "cpu") -> bool:
    """Whether a device of torch ("cpu", "cuda:0" ...) computes in bfloat16 by itself."""
    if device.partition(":")[0] == "cpu":
        return bool(FLAGS & _cpu_flags())
    import torch

    with torch.cuda.device(device):
        return torch.cuda.is_bf16_supported(including_emulation=False)


def _cpu_flags() -> set[str]:
    """What the processor can do: as Linux says, or else as torch does; neither known, nothing."""
    with contextlib.suppress(OSError):
        return set(CPUINFO.read_text(encoding="utf-8", errors="replace").split())
    with contextlib.suppress(ImportError, OSError, AttributeError):  # older versions of torch do not say
        import torch

        return {name for name, value in torch.cpu.get_capabilities().items() if value is True}
    return set()


# onnxruntime is what every installation has, and the faster one for a few states. For many states torch is, where it
# is installed and the processor computes in bfloat16 (`torch_is_faster`). Which of them runs is settled before the
# first state and never by the size of a batch: so the answer to a state is the same to the last bit, whatever is
# beside it.

MOST = 512  # states at once: more take memory and no less time
MOST_BEHIND = 32  # where the first layer is apart: what the others pass on stays in the cache


Planes: TypeAlias = "np.ndarray | SparsePlanes"


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


def _snapshot(tensors: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Copies of tensors of NumPy or torch, wherever they are, in single precision."""
    out = {}
    for name, value in tensors.items():
        if hasattr(value, "detach"):  # torch's; NumPy has no bfloat16
            value = value.detach().float().cpu().numpy()
        out[name] = np.array(value, np.float32)
        if not np.isfinite(out[name]).all():
            raise CheckpointError(f"the weights are not taken: {name} holds values that are not finite")
    return out


def _of_any_weights(info: Info) -> Info:
    """What a checkpoint says that stays true of other weights."""
    return {key: value for key, value in info.items() if key not in ("weights", "results")}


class LoadedWeights:
    """One version of a model's weights, with what runs them."""

    def __init__(
        self,
        tensors: dict[str, np.ndarray],
        spec: ModelSpec,
        info: Info,
        version: int,
        device: str,
        threads: int | None = None,
    ) -> None:
        self.tensors, self.spec, self.info, self.version, self.device = tensors, spec, info, version, device
        self.threads = int(os.environ.get("OMP_NUM_THREADS", 0)) if threads is None else threads
        self.first_layer: tuple[np.ndarray, np.ndarray] | None = None  # rows and bias, if apart from the session

    def answer(self, planes: Planes) -> np.ndarray:
        """Logits under onnxruntime."""
        session, name, x = self.session, "planes", planes
        if self.first_layer is not None:
            from suzaku.features.sparse import sparse
            from suzaku.networks.cpu_kernels import convolve_and_norm

            name, x = "first", convolve_and_norm(sparse(planes), *self.first_layer)
        assert isinstance(x, np.ndarray)
        if len(x) == 1:  # it adds up a batch of one in another order than all others
            return session.run(["logits"], {name: x.repeat(2, 0)})[0][:1]
        return session.run(["logits"], {name: x})[0]

    @cached_property
    def session(self) -> Any:
        """The session of onnxruntime; it runs on all cores, unless told otherwise (here, or by OMP_NUM_THREADS)."""
        import onnxruntime

        from suzaku.networks.cpu_kernels import arrange
        from suzaku.networks.onnx_graph import to_onnx, to_onnx_behind

        if self.spec.sparse:
            graph, weight, bias = to_onnx_behind(self.tensors, self.info)
            self.first_layer = arrange(weight), bias
        else:
            graph = to_onnx(self.tensors, self.info)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    @cached_property
    def module(self) -> Any:
        """The folded module of torch, in bfloat16 where the device has it (on the CPU always)."""
        import torch

        from suzaku.networks.checkpoint import from_tensors
        from suzaku.networks.modules import folded

        module = from_tensors(self.tensors, self.spec).to(self.device)
        exact = self.device != "cpu" and not has_bfloat16(self.device)
        return folded(module, torch.float32 if exact else torch.bfloat16)

    @cached_property
    def hash(self) -> str:
        """A hash of the weights."""
        found = hashlib.sha256()
        for name, value in sorted(self.tensors.items()):
            found.update(name.encode())
            found.update(value.tobytes())
        return found.hexdigest()


class Model:
    """One trained model."""

    def __init__(self, path: str | Path, device: str = "cpu") -> None:
        """Load a checkpoint; on another device than the CPU torch runs it."""
        tensors, info = read_weights(path)
        self._start(tensors, info, 0, device)

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Any], info: Info, version: int = 0, device: str = "") -> "Model":
        """A model of weights in memory: tensors of NumPy or torch by name, on any device, such as a `state_dict()`.

        `info` holds "network" and "model", and may hold all that a checkpoint says; what it says of its weights and
        their results is not taken over, since these may be others. The weights are copied. It runs where the tensors
        are, or on `device`.
        """
        device = device or str(getattr(next(iter(tensors.values()), None), "device", "cpu"))
        info = {"features": spec_of(info).describe_features()} | _of_any_weights(info)
        if reason := misfit(info):
            raise CheckpointError(f"these weights do not fit: {reason}")
        model = cls.__new__(cls)
        model._start(_snapshot(tensors), info, version, device)
        return model

    def _start(self, tensors: dict[str, np.ndarray], info: Info, version: int, device: str) -> None:
        self.info, self.device = info, device
        self.spec = spec_of(info)
        self.features = self.spec.features
        self.many = False  # whether batches will be large
        self._loaded = LoadedWeights(tensors, self.spec, info, version, device)
        if device == "cpu":
            self._loaded.session  # noqa: B018  wrong weights are refused here, not at the first state
        else:
            self._loaded.module  # noqa: B018

    @property
    def version(self) -> int:
        """The version of the weights: what `replace` was told last."""
        return self._loaded.version

    @property
    def hash(self) -> str:
        """A hash of the weights: that of the checkpoint's file, or of the tensors in memory."""
        return self.info.get("weights", {}).get("sha256") or self._loaded.hash

    @property
    def tensors(self) -> Mapping[str, np.ndarray]:
        """The weights by name; they must not be changed."""
        return self._loaded.tensors

    def twin(self, many: bool) -> "Model":
        """The same weights in the same memory, until one of the two gets others."""
        found = copy.copy(self)
        found.many = many
        return found

    def use_one_thread(self) -> None:
        """Leave the other cores to other work, under onnxruntime."""
        now = self._loaded
        self._loaded = LoadedWeights(now.tensors, self.spec, self.info, now.version, self.device, threads=1)

    @property
    def uses_torch(self) -> bool:
        """Whether torch runs it."""
        return self.device != "cpu" or (self.many and torch_is_faster())

    def prepare(self, tensors: Mapping[str, Any], version: int) -> LoadedWeights:
        """Other weights, ready to be put in place; what does not fit is refused."""
        kept = _snapshot(tensors)
        check_shapes(kept, self.spec, "the new version")
        fresh = LoadedWeights(kept, self.spec, self.info, version, self.device, self._loaded.threads)
        fresh.module if self.uses_torch else fresh.session  # noqa: B018  built now, so that putting it in place is quick
        return fresh

    def put(self, weights: LoadedWeights) -> None:
        """Put prepared weights in place, from the next call on."""
        self.info = _of_any_weights(self.info)
        self._loaded = weights

    def replace(self, tensors: Mapping[str, Any], version: int) -> None:
        """Play on with other weights; those that do not fit are refused, and the old ones stay."""
        self.put(self.prepare(tensors, version))

    @property
    def sparse(self) -> bool:
        """Whether it is at its best with sparse planes; dense ones it takes as well."""
        return self.spec.takes_sparse(self.device)

    def encode(self, records: np.ndarray, claim: np.ndarray | None = None, lookahead: bool = True) -> Planes:
        """What it sees of some tables, dense or sparse, as it likes best."""
        if self.sparse:
            return self.features.encode_sparse(records, claim, lookahead)
        return self.features.encode(records, claim, lookahead=lookahead)

    def __call__(self, planes: Planes) -> np.ndarray:
        """Logits, float32[n, answers], of encoded states, uint8[n, ...] or sparse."""
        run = self.run_torch if self.uses_torch else self.run_onnxruntime
        most = MOST_BEHIND if self.sparse and not self.uses_torch else MOST
        weights = self._loaded  # one version for the whole batch
        if len(planes) <= most:
            return run(planes, weights)
        return np.concatenate([run(planes[i : i + most], weights) for i in range(0, len(planes), most)])

    def run_onnxruntime(self, planes: Planes, weights: LoadedWeights | None = None) -> np.ndarray:
        """In single precision."""
        return (weights or self._loaded).answer(planes)

    def run_torch(self, planes: Planes, weights: LoadedWeights | None = None) -> np.ndarray:
        """In bfloat16."""
        import torch

        from suzaku.networks.modules import to_device

        with torch.inference_mode():
            logits = (weights or self._loaded).module(to_device(planes, self.device))
            return logits.float().cpu().numpy()
