"""How fast networks learn and answer here: `python benchmarks/learning.py --data STORE NETWORK...`.

Peers in the same run: training end to end from a store against plain torch on ready-made batches; onnxruntime against
torch. Without --data only what needs no games is measured.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from suzaku.learning.config import Config
from suzaku.learning.loader import LoadedBatch, Loader
from suzaku.learning.supervised import Supervised
from suzaku.networks.build import build
from suzaku.networks.checkpoint import save
from suzaku.networks.names import inputs
from suzaku.networks.run import Model

BATCH = 512
SECONDS = 8.0


def rate(work: Callable[[], object], samples: int, seconds: float = SECONDS) -> float:
    """Samples a second of something that takes `samples` at a time."""
    work()
    work()
    began, n = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        work()
        n += 1
    return n * samples / (time.perf_counter() - began)


def made_up(network: str, n: int) -> np.ndarray:
    """Planes about as full as real ones."""
    return (np.random.default_rng(1).random((n, *inputs(network, "discard").shape)) < 0.1).astype(np.uint8)


def training(network: str, store: Path | None) -> None:
    """Ready-made batches, then batches from the store."""
    config = Config(network=network, batch=BATCH, steps=10**6, warm_up=1, eval_every=10**6, save_every=10**6)
    with tempfile.TemporaryDirectory() as folder:
        learner = Supervised(config, store or folder)
        ready_made = LoadedBatch(made_up(network, BATCH), np.zeros(BATCH, np.int64), None)
        ready = rate(lambda: learner.learn(ready_made, 0), BATCH)
        print(f"{network}: training, ready-made batches {ready:,.0f} samples/s")
        if store is None:
            return
        loader = Loader(store, config)

        def learn() -> None:
            learner.learn(next(loader), 0)

        for _ in range(10):  # past the batches that were waiting
            learn()
        began, processor, waited, worked = time.perf_counter(), time.process_time(), loader.waited, loader.worked
        whole = rate(learn, BATCH, 3 * SECONDS)
        took, processor = time.perf_counter() - began, time.process_time() - processor
        print(
            f"{network}: training from the store {whole:,.0f} samples/s, {whole / ready:.0%} of ready-made; replaying "
            f"and encoding {(loader.worked - worked) / processor:.0%} of processor time, trainer waits "
            f"{(loader.waited - waited) / took:.0%}"
        )
        loader.close()


def inference(network: str) -> None:
    """One state and many, under both runtimes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        save(path, build(network, "discard"), {"network": network, "model": "discard"})
        model = Model(path)
        one, many = made_up(network, 1), made_up(network, BATCH)
        for name, run in (("onnxruntime", model.run_onnxruntime), ("torch, bfloat16", model.run_torch)):
            single, batch = rate(partial(run, one), 1, 2), rate(partial(run, many), BATCH, 4)
            print(f"{network}: {name}: one state {1000 / single:.2f} ms, in batches {batch:,.0f} states/s")


def main() -> None:
    """Measure the networks named, or those of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=["suphx-b5c64", "suphx-b10c96", "suphx-b10c128", "gao-86"])
    parser.add_argument("--data", type=Path, help="a store of games")
    options = parser.parse_args()
    import torch  # only now: suzaku.networks sets how its threads wait

    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, batches of {BATCH}")
    for network in options.networks:
        training(network, options.data)
        inference(network)
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB")


if __name__ == "__main__":
    main()
