"""Whether a machine multiplies in bfloat16. Where it does not, torch imitates it, and float32 is the faster one.

The machine is asked, not timed: all workers of a match and all pieces of a run must come to the same answer.
"""

import contextlib
from functools import cache
from pathlib import Path

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
