"""bfloat16 is used where the machine has it, and float32 elsewhere; the machines are made up."""

import pytest

from suzaku.networks import run
from suzaku.networks import run as bfloat16

ask = bfloat16.has_bfloat16.__wrapped__


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx512f avx512_bf16 avx512_vnni", True),
        ("fpu avx512f amx_bf16 amx_tile", True),
        ("fpu avx2 avx512f avx512_vnni", False),
        ("fpu no_avx512_bf16_here", False),
    ],
)
def test_a_processor_is_asked(flags, expected, tmp_path, monkeypatch):
    (tmp_path / "cpuinfo").write_text(f"model name\t: made up\nflags\t\t: {flags}\n")
    monkeypatch.setattr(bfloat16, "CPUINFO", tmp_path / "cpuinfo")
    assert ask("cpu") is expected


@pytest.mark.parametrize("has", [False, True])
def test_where_the_system_does_not_say_torch_is_asked(has, tmp_path, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    monkeypatch.setattr(bfloat16, "CPUINFO", tmp_path / "none")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True, "avx512_bf16": has}, raising=False)
    assert ask("cpu") is has
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert not ask("cpu")


@pytest.mark.parametrize("has", [False, True])
def test_a_graphics_card_is_asked(has, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    asked = []

    class Device:
        def __init__(self, name):
            asked.append(name)

        def __enter__(self):
            pass

        def __exit__(self, *_):
            pass

    def supported(including_emulation=True):
        return has or including_emulation

    monkeypatch.setattr(torch.cuda, "device", Device)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)
    assert ask("cuda:1") is has
    assert asked == ["cuda:1"]


def test_without_bfloat16_torch_does_not_play(monkeypatch):
    pytest.importorskip("torch", reason="needs the extra [train]")
    monkeypatch.delenv("SUZAKU_RUNTIME", raising=False)
    faster = run.torch_is_faster.__wrapped__
    monkeypatch.setattr(run, "has_bfloat16", lambda: True)
    assert faster()
    monkeypatch.setattr(run, "has_bfloat16", lambda: False)
    assert not faster()
