"""Several processes learn one model together through torchrun."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="needs the extra [train]")


def test_two_processes_learn_together(store, tmp_path):
    settings = {"steps": 6, "batch": 64, "warm_up": 2, "eval_every": 6, "eval_samples": 200, "lookahead": "false"}
    words = [f"--set={key}={value}" for key, value in settings.items()]
    runner = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m", "suzaku"]
    command = ["train", "supervised", "--model=discard", "--network=suphx-b1c8", f"--data={store}", f"--out={tmp_path}"]
    done = subprocess.run(
        [*runner, *command, *words],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("written:") == 1, "one process writes the report"
    told = json.loads((tmp_path / "last.json").read_text())
    assert told["step"] == 6
    assert told["training"]["batch"] == 64
