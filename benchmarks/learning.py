"""How fast networks learn and answer here: `python benchmarks/learning.py --data STORE NETWORK...`.

Peers in the same run: training end to end from a store against plain torch, without kernels of our own, on ready-made
dense batches; onnxruntime against torch. Without --data only what needs no games is measured.
"""

import argparse
import re
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from unittest.mock import patch

import numpy as np

from suzaku.features.sparse import sparse
from suzaku.learning.config import Config
from suzaku.learning.loader import LoadedBatch, Loader
from suzaku.learning.supervised import Supervised
from suzaku.networks import cpu
from suzaku.networks.checkpoint import save
from suzaku.networks.modules import build
from suzaku.networks.run import Model
from suzaku.networks.spec import model_spec

BATCH = 512
SECONDS = 12.0  # for each thing measured
TURNS = 3


def rate(work: Callable[[], object], samples: int, seconds: float) -> float:
    """Samples a second of something that takes `samples` at a time."""
    began, n = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        work()
        n += 1
    return n * samples / (time.perf_counter() - began)


def rates(works: dict[str, Callable[[], object]], samples: int, seconds: float) -> dict[str, float]:
    """The median rate of each, taken in turns: what else the machine does meets all of them."""
    for work in works.values():
        work()
        work()
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(TURNS):
        for name, work in works.items():
            found[name].append(rate(work, samples, seconds / TURNS))
    return {name: median(each) for name, each in found.items()}


def made_up(network: str, n: int) -> np.ndarray:
    """Planes about as full as real ones: as many cells, as many whole channels."""
    rng, shape = np.random.default_rng(1), model_spec(network, "discard").features.shape
    if len(shape) > 2:
        return (rng.random((n, *shape)) < 0.1).astype(np.uint8)
    planes = rng.random((n, *shape)) < 380 / (838 * 34)
    return (planes | (rng.random((n, shape[0], 1)) < 110 / 838)).astype(np.uint8) * 255


def training(network: str, store: Path | None) -> None:
    """Ready-made batches, dense and sparse, and batches from the store."""
    config = Config(network=network, batch=BATCH, steps=10**6, warm_up=1, eval_every=10**6, save_every=10**6)
    with tempfile.TemporaryDirectory() as folder:
        learner = Supervised(config, store or folder)
        planes, label = made_up(network, BATCH), np.zeros(BATCH, np.int64)
        dense = LoadedBatch(planes, label, None)

        def plain() -> None:
            with patch.object(cpu, "OWN", ()):
                learner.learn(dense, 0)

        works: dict[str, Callable[[], object]] = {"torch": plain, "dense": lambda: learner.learn(dense, 0)}
        is_sparse = learner.config.spec.takes_sparse(learner.process.device)
        if is_sparse:
            cells = LoadedBatch(sparse(planes), label, None)
            works["sparse"] = lambda: learner.learn(cells, 0)
        loader = Loader(store, config, sparse=is_sparse) if store else None
        if loader:

            def learn() -> None:
                learner.learn(next(loader), 0)

            for _ in range(10):  # past the batches that were waiting
                learn()
            works["store"] = learn
        found = rates(works, BATCH, SECONDS)
        print(f"{network}: training, plain torch on dense ready-made batches {found['torch']:,.0f} samples/s")
        for name, told in (
            ("dense", "with our batch norms"),
            ("sparse", "sparse ready-made batches"),
            ("store", "batches from the store"),
        ):
            if name in found:
                print(f"{network}: {told} {found[name]:,.0f} samples/s, {found[name] / found['torch']:.2f} times that")
        if loader:
            print(f"{network}: {shares(loader, learn)}")
            loader.close()


def shares(loader: Loader, learn: Callable[[], object]) -> str:
    """Where the time of training from a store goes."""
    began, processor, waited, worked = time.perf_counter(), time.process_time(), loader.waited, loader.worked
    rate(learn, BATCH, SECONDS / 2)
    took, processor = time.perf_counter() - began, time.process_time() - processor
    worked, waited = (loader.worked - worked) / processor, (loader.waited - waited) / took
    return f"replaying and encoding {worked:.0%} of processor time, trainer waits {waited:.0%}"


def inference(network: str) -> None:
    """One state and many, under both runtimes: on dense planes, and on sparse ones where the network takes them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        save(path, build(network, "discard"), {"network": network, "model": "discard"})
        model = Model(path)
        planes = {"dense": made_up(network, BATCH)}
        if model.sparse:
            planes["sparse"] = sparse(planes["dense"])
        for name, run in (("onnxruntime", model.run_onnxruntime), ("torch, bfloat16", model.run_torch)):
            works = {form: partial(run, many) for form, many in planes.items()}
            found = rates(works, BATCH, 2.0 * len(works))
            form = list(planes)[-1]
            single = rate(partial(run, planes[form][:1]), 1, 2)
            ratio = (
                f", {found['sparse'] / found['dense']:.2f} times the dense {found['dense']:,.0f}"
                if model.sparse
                else ""
            )
            told = f"in batches {found[form]:,.0f} states/s{ratio}"
            print(f"{network}: {name}: one state {1000 / single:.2f} ms, {told}; {gigaflops(network, found[form])}")


def gigaflops(network: str, states: float) -> str:
    """What the convolutions behind the first layer compute, beside a plain product of matrices."""
    sizes = re.fullmatch(r"suphx-b(\d+)c(\d+)", network)
    if not sizes:
        return "no residual blocks"
    blocks, channels = int(sizes[1]), int(sizes[2])
    each = 2 * blocks * 34 * channels * channels * 3 * 2
    return f"{each / 1e6:.1f} MFLOP a state behind the first layer, {each * states / 1e9:,.0f} GFLOP/s"


def peak() -> None:
    """The most that torch multiplies here: square matrices, in both precisions."""
    import torch

    for precision in (torch.float32, torch.bfloat16):
        a = torch.randn(2048, 2048).to(precision)
        with torch.inference_mode():
            done = rate(lambda a=a: a @ a, 1, 2)
        print(
            f"a product of matrices in {str(precision).removeprefix('torch.')}: {done * 2 * 2048**3 / 1e9:,.0f} GFLOP/s"
        )


def main() -> None:
    """Measure the networks named, or those of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=["suphx-b5c64", "suphx-b10c96", "suphx-b10c128", "gao-86"])
    parser.add_argument("--data", type=Path, help="a store of games")
    options = parser.parse_args()
    import torch  # only now: suzaku.networks sets how its threads wait

    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, batches of {BATCH}")
    peak()
    for network in options.networks:
        training(network, options.data)
        inference(network)
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB")


if __name__ == "__main__":
    main()
