"""Files are whole or not there, and pictures with them."""

import errno
import os

import pytest

from suzaku import system
from suzaku.plots import check_plot, new_figure, save_figure
from suzaku.system import why_not, write_together, write_whole, writing_whole


def test_what_was_there_stays_until_the_new_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, b"old")

    def stop_midway() -> None:
        with writing_whole(path) as file:
            file.write(b"new")
            assert path.read_bytes() == b"old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_midway()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_files_that_belong_together_come_together(tmp_path, monkeypatch):
    first, second = tmp_path / "a.bin", tmp_path / "a.json"
    write_together({first: b"1", second: b"1"})
    with pytest.raises(TypeError):
        write_together({first: b"2", second: "no bytes"})  # type: ignore[dict-item]
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"1")
    order = []
    replace = os.replace
    monkeypatch.setattr(system.os, "replace", lambda a, b: (order.append(b), replace(a, b)))
    write_together({first: b"2", second: b"2"})
    assert order == [first, second]
    assert (first.read_bytes(), second.read_bytes()) == (b"2", b"2")


def test_errors_name_the_file_and_not_the_temporary_one(tmp_path, monkeypatch):
    with pytest.raises(OSError) as caught:
        write_whole(tmp_path / "nowhere" / "a.txt", b"")
    assert caught.value.filename == str(tmp_path / "nowhere" / "a.txt")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(system.os, "fsync", full)
    with pytest.raises(OSError) as caught:
        write_whole(tmp_path / "a.txt", b"1")
    assert caught.value.filename == str(tmp_path / "a.txt")
    assert why_not(caught.value) == "no space left on the device"
    assert not os.listdir(tmp_path)


def test_pictures_are_written_whole_in_the_format_of_their_name(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra [plots]")
    figure = new_figure(2, 2)
    figure.subplots().plot([1, 2])
    for name, head in (("a.png", b"\x89PNG"), ("b.svg", b"<?xml"), ("c.pdf", b"%PDF")):
        check_plot(tmp_path / name)
        save_figure(figure, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(head)
    assert sorted(os.listdir(tmp_path)) == ["a.png", "b.svg", "c.pdf"]
    with pytest.raises(ValueError, match=r"must end in \.png, \.svg or \.pdf"):
        check_plot(tmp_path / "a.exe")
