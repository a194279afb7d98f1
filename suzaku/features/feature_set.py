"""A feature set: what a model sees, under the name, version and hash that its checkpoint carries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from suzaku.features.groups import Group, size, table_hash, table_version

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes

Encoder = Callable[[np.ndarray, np.ndarray | None, np.ndarray | None, bool], np.ndarray]


@dataclass(frozen=True)
class FeatureSet:
    """Channels in a fixed order, and the encoder that fills them from tables."""

    name: str  # as in checkpoints
    game: str  # the game whose tables it reads
    about: str  # a sentence for people
    groups: tuple[Group, ...]  # the channel table
    encoder: Encoder  # called with records, claims, out and lookahead
    cells: tuple[int, ...] = (34,)  # the shape of one channel
    claim: bool = False  # whether it speaks of a claim (an action for each table) as well as of the table
    hidden: int = 0  # so many channels, the last ones, hold what the seat cannot see
    sparse_encoder: "Callable[[np.ndarray, np.ndarray | None, bool], SparsePlanes] | None" = None  # without `out`

    @cached_property
    def channels(self) -> int:
        """The number of channels."""
        return size(self.groups)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of a sample."""
        return (self.channels, *self.cells)

    @cached_property
    def version(self) -> int:
        """The version of the channel table."""
        return table_version(self.groups)

    @cached_property
    def hash(self) -> str:
        """The hash of the channel table: equal hashes, equal channels."""
        return table_hash(self.groups)

    def encode(
        self,
        records: np.ndarray,
        claim: np.ndarray | None = None,
        out: np.ndarray | None = None,
        lookahead: bool = True,
    ) -> np.ndarray:
        """The channels of the asked seat of many tables, uint8[n, *shape], into `out` if given.

        `claim` is the action asked about at each table, for sets that speak of one; `lookahead` False leaves the
        channels of the look-ahead empty, where there are any.
        """
        self._check(claim)
        return self.encoder(records, claim, out, lookahead)

    def encode_sparse(
        self, records: np.ndarray, claim: np.ndarray | None = None, lookahead: bool = True
    ) -> "SparsePlanes":
        """The same as the cells that are not zero; for sets with an encoder of their own for it."""
        self._check(claim)
        if self.sparse_encoder is None:
            raise ValueError(f"the feature set {self.name} has no sparse encoder: use encode")
        return self.sparse_encoder(records, claim, lookahead)

    def _check(self, claim: np.ndarray | None) -> None:
        if self.claim and claim is None:
            raise ValueError(f"the feature set {self.name} needs a claim for each table")
