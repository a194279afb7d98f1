"""Samples of one model from decisions: what it is asked, what was done, and the encoded input.

Those of Riichi are made here, those of MCR in `mcr_samples.py`. Decisions where a player in riichi had no choice never
come here (see `suzaku.records.decisions`). A decision that was answered by something of higher priority (a win, say)
tells nothing of the model and is left out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from suzaku.features.channels import FeatureSet
from suzaku.features.sparse import SparsePlanes
from suzaku.features.symmetry import KIND_SOURCES, SUIT_ORDERS, TILE_MAPS, is_symmetric
from suzaku.kernel import kernel
from suzaku.learning.sample import Samples, mcr_samples, plain_samples
from suzaku.learning.sample import is_symmetric as is_symmetric_mcr
from suzaku.networks.spec import ModelSpec
from suzaku.records.decisions import Decisions, decisions
from suzaku.records.players import EVERYONE, Teachers
from suzaku.records.store import Filters, Store
from suzaku.riichi import actions as act
from suzaku.table.tables import join, take
from suzaku.tiles import KIND_OF, KINDS

WIN_OR_ABORT = (act.WIN_DRAW, act.WIN_DISCARD, act.NINE_KINDS)


def _is_kong(action: np.ndarray) -> np.ndarray:
    return (action >= act.OPEN_KONG) & (action < act.WIN_DRAW)


def _is_chow(action: np.ndarray) -> np.ndarray:
    return (action >= act.CHOW_LOW) & (action < act.PONG)


def _discards(batch: Decisions) -> Samples:
    keep = batch.action <= act.DISCARD_DRAWN
    records, legal = take(batch.records, keep), batch.legal[keep]
    drawn = np.where(records["drawn"] >= 0, records["drawn"], 0)
    action = batch.action[keep].astype(np.int64)
    kinds = np.zeros((len(records), 34), np.bool_)
    for tile in range(37):
        kinds[:, KIND_OF[tile]] |= legal[:, tile]
    rows = np.flatnonzero(legal[:, act.DISCARD_DRAWN])
    kinds[rows, KIND_OF[drawn[rows]]] = True
    label = KIND_OF[np.where(action == act.DISCARD_DRAWN, drawn, action)].astype(np.int64)
    return Samples(records, np.full(len(label), -1), label, kinds)


def _riichi(batch: Decisions) -> Samples:
    keep = (batch.action <= act.RIICHI) & batch.legal[:, act.RIICHI]
    return plain_samples(batch, keep, (batch.action == act.RIICHI).astype(np.int64))


VERSIONS = {"chow": 2, "pong": 2, "kong": 2}  # what a model's samples are; another version cannot go on with a run
CLAIMS = {"chow": (act.CHOW_LOW, act.PONG), "pong": (act.PONG, act.OPEN_KONG), "kong": (act.OPEN_KONG, act.WIN_DRAW)}


def claim_options(batch: Decisions, model: str) -> tuple[np.ndarray, np.ndarray]:
    """Every claim of a model that was possible: the row of its decision, and the action."""
    start, end = CLAIMS[model]
    told = ~np.isin(batch.action, WIN_OR_ABORT)
    if model == "pong":
        told &= ~_is_kong(batch.action)
    rows, claim = np.nonzero(batch.legal[:, start:end] & told[:, None])
    return rows, claim + start


def _claims(batch: Decisions, model: str) -> Samples:
    """Every claim that was possible is a sample of its own, and right if it was made.

    Play asks about all of them and takes the surest, so the model must know those too that were passed over.
    """
    rows, claim = claim_options(batch, model)
    made = (batch.action[rows] == claim).astype(np.int64)
    return Samples(take(batch.records, rows), claim, made, np.zeros((len(rows), 0), np.bool_))


def samples_of(batch: Decisions, spec: ModelSpec) -> Samples:
    """The samples of a model in a batch of decisions."""
    model = spec.decision
    if game_of(spec) == "mcr":
        return mcr_samples(batch, model, spec.features.claim)
    if model == "discard":
        return _discards(batch)
    if model == "riichi":
        return _riichi(batch)
    return _claims(batch, model) if spec.features.claim else _claim_classes(batch, model)


def game_of(spec: ModelSpec) -> str:
    """The game that a model plays, if there are samples of it."""
    if spec.game not in SYMMETRIC:
        name = spec.network.name
        raise ValueError(f"{name} is of {spec.game}: there are no samples of it (suzaku/learning/samples.py)")
    return spec.game


def none_found(store: str | Path | Store, spec: ModelSpec, purpose: str) -> ValueError:
    """Why a store gave no samples."""
    game = game_of(spec)
    if not (store if isinstance(store, Store) else Store(store)).has_games_of(game):
        return ValueError(f"{store} holds no games of {game}, which {spec.network.name} plays")
    return ValueError(f"{store} holds no {spec.decision} decisions {purpose}")


def _claim_classes(batch: Decisions, model: str) -> Samples:
    """Claims of a model that is told of none: pong or not; no chow, or the called tile lowest, middle, highest."""
    first, last = (act.CHOW_LOW, act.PONG) if model == "chow" else (act.PONG, act.OPEN_KONG)
    keep = batch.legal[:, first:last].any(1) & ~np.isin(batch.action, WIN_OR_ABORT) & ~_is_kong(batch.action)
    made = (batch.action >= first) & (batch.action < last)
    which = 1 + (batch.action.astype(np.int64) - act.CHOW_LOW) % 3 if model == "chow" else 1
    return plain_samples(batch, keep, np.where(made, which, 0).astype(np.int64))


@kernel
def _symmetric_riichi(records, out):
    for i in range(records.shape[0]):
        out[i] = is_symmetric(records[i], records[i].seat)


@kernel
def _symmetric_mcr(records, out):
    for i in range(records.shape[0]):
        out[i] = is_symmetric_mcr(records[i], records[i].seat)


SYMMETRIC = {"riichi": _symmetric_riichi, "mcr": _symmetric_mcr}


def encode(
    samples: Samples, features: FeatureSet, lookahead: bool = True, sparse: bool = False
) -> np.ndarray | SparsePlanes:
    """The input of the network, bytes; `sparse` gives only those that are not zero."""
    if sparse:
        return features.encode_sparse(samples.records, samples.claim, lookahead)
    return features.encode(samples.records, samples.claim, lookahead=lookahead)


@kernel
def _move_suits(planes, order, sources):
    """Give sample i the suits order[i]; planes that are the same for all suits, most of them, stay untouched."""
    samples, channels, width = planes.shape
    copies = width // KINDS
    size = 27 * copies
    old = np.empty(size, np.uint8)
    source = np.empty(size, np.int64)
    for i in range(samples):
        if order[i] == 0:
            continue
        for t in range(size):
            source[t] = sources[order[i], t // copies] * copies + t % copies
        for c in range(channels):
            row = planes[i, c]
            first, differs = row[0], np.uint8(0)
            for t in range(size):
                old[t] = row[t]
                differs |= row[t] ^ first
            if differs:
                for t in range(size):
                    row[t] = old[source[t]]


def exchange_suits(
    planes: np.ndarray | SparsePlanes, samples: Samples, rng: np.random.Generator, game: str = "riichi"
) -> np.ndarray:
    """Exchange the suits of every sample at random, in place, where the rules are blind to it; the orders they got."""
    blind = np.empty(len(samples), np.bool_)
    SYMMETRIC[game](samples.records, blind)
    order = np.where(blind, rng.integers(len(SUIT_ORDERS), size=len(samples)), 0)
    if isinstance(planes, SparsePlanes):
        planes.exchange_suits(order)
    else:
        _move_suits(planes.reshape(*planes.shape[:2], -1), order, KIND_SOURCES)
    if samples.legal.shape[1]:
        rows = np.arange(len(samples))
        samples.legal = samples.legal[rows[:, None], KIND_SOURCES[order]]
        samples.label = TILE_MAPS[order, samples.label].astype(np.int64)
    return order


def stream(
    store: str | Path | Store,
    spec: ModelSpec,
    batch: int,
    seed: int,
    *,
    split: str = "",
    skip: int = 0,
    shard: tuple[int, int] = (0, 1),
    workers: int = 1,
    again: bool = True,
    one_player: bool = False,
    part: int = 1,
    teachers: Teachers = EVERYONE,
) -> Iterator[Samples]:
    """Samples in batches of one size, going through the store `again` and again with other orders, or once.

    `skip` leaves out the first batches, to go on where a run stopped; `part` takes one game in so many.
    """
    game = game_of(spec)
    number = 0
    epoch = 0
    while True:
        pending: list[Samples] = []
        chunks = decisions(
            store,
            spec.decision,
            Filters(part=part, walls=spec.features.hidden > 0),
            game=game,
            split=split,
            shuffle=seed + 7919 * epoch,
            batch=4096,
            workers=workers,
            shard=shard,
            one_player=one_player,
            teachers=teachers,
        )
        for found in chunks:
            pending.append(samples_of(found, spec))
            while sum(map(len, pending)) >= batch:
                merged = _merge(pending)
                if number >= skip:
                    yield _part(merged, 0, batch)
                number += 1
                pending = [_part(merged, batch, len(merged))]
        if not again:
            if sum(map(len, pending)):
                yield _merge(pending)
            return
        if number == 0:  # and there would never be a batch
            there = sum(map(len, pending))
            if not there:
                raise none_found(store, spec, "for training")
            few = (
                f"{there:,} {spec.decision} decisions for training, less than a batch of {batch:,}: it needs more games"
            )
            raise ValueError(f"{store} holds {few}")
        epoch += 1


def mixed(streams: Sequence[Iterator[Samples]]) -> Iterator[Samples]:
    """Batches that have a batch of every stream in them."""
    for parts in zip(*streams, strict=True):
        yield _merge(list(parts)) if len(parts) > 1 else parts[0]


def sizes(batch: int, groups: Sequence[Teachers]) -> list[int]:
    """A batch shared out among teachers, as near to their shares as whole samples come."""
    ends = np.rint(batch * np.cumsum([group.share for group in groups])).astype(int)
    found = np.diff(ends, prepend=0).tolist()
    if min(found) < 1:
        raise ValueError(f"a batch of {batch} has no sample for the smallest share of its players: make it larger")
    return found


def _merge(parts: list[Samples]) -> Samples:
    rest = (np.concatenate([getattr(part, name) for part in parts]) for name in ("claim", "label", "legal"))
    return Samples(join([part.records for part in parts]), *rest)


def _part(samples: Samples, start: int, end: int) -> Samples:
    return Samples(*(getattr(samples, name)[start:end] for name in ("records", "claim", "label", "legal")))


def warm_up() -> None:
    """Samples."""
    from suzaku.hand.shanten import shanten_many
    from suzaku.hand.tables import tables
    from suzaku.riichi.state import STATE
    from suzaku.table.game import game_named

    Decisions.room(game_named("riichi"), 1).take(np.arange(1))
    state = np.zeros(1, STATE)
    shanten_many(tables(), state["hand"][[0], [0]], state["melds"][[0], [0]], np.zeros(1, np.int8))
    samples = Samples(state, np.array([-1]), np.array([0]), np.ones((1, 34), np.bool_))
    exchange_suits(np.zeros((1, 1, 34), np.uint8), samples, np.random.default_rng(0))
