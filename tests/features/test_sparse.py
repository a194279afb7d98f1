"""Sparse planes: the same cells as dense ones, each once, whatever is done with them."""

import numpy as np
import pytest

from suzaku.features import claims, oracle, suphx
from suzaku.features.sparse import SparsePlanes, sparse
from suzaku.features.symmetry import SUIT_ORDERS, permute_planes
from tests.features import made_up
from tests.features.positions import encoded, positions
from tests.features.states import some_states


def states() -> np.ndarray:
    """Positions of games, and some that games hardly bring about."""
    records = positions().records
    some = records[::20]
    return np.concatenate(
        [records[::2], some_states(300, 3).records, made_up.other_standings(some), made_up.equal_indicators(some)]
    )


def check(found: SparsePlanes, dense: np.ndarray) -> None:
    """The same, and no cell is there twice: the first layer would add it twice."""
    assert found.shape == dense.shape
    assert (found.dense() == dense).all()
    cells = 0
    for i in range(len(found)):
        whole = found.constants[i]
        mine = found.cells[found.bounds[i] : found.bounds[i + 1]]
        assert len(np.unique(mine >> 8)) == len(mine)
        assert not np.isin(mine[:whole] >> 16, mine[whole:] >> 16).any()
        cells += 34 * int(whole) + len(mine) - int(whole)
    assert cells == np.count_nonzero(dense)


@pytest.mark.parametrize("lookahead", [True, False])
def test_suphx(lookahead):
    records = states()
    check(suphx.encode_sparse(records, lookahead), suphx.encode_many(records, lookahead=lookahead))


@pytest.mark.parametrize("lookahead", [True, False])
def test_claims(lookahead):
    at = positions()
    records = at.records[at.claimed]
    dense = claims.encode_many(records, at.claims, lookahead=lookahead)
    check(claims.encode_sparse(records, at.claims, lookahead), dense)


def test_oracle():
    records = states()
    check(oracle.encode_sparse(records), oracle.encode_many(records))


def test_options_of_one_decision_are_encoded_as_each_alone():
    at = positions()
    records = at.records[at.claimed]
    assert (np.diff(at.claimed) == 0).any()
    order = np.random.default_rng(1).permutation(len(records))
    for encode in (claims.encode_many, lambda *arguments: claims.encode_sparse(*arguments).dense()):
        together, apart = encode(records, at.claims), encode(records[order], at.claims[order])
        assert (together[order] == apart).all()


def test_dense_planes_become_cells():
    dense = encoded("suphx")[::10]
    check(sparse(dense), dense)
    check(sparse(np.zeros((2, 5, 34), np.uint8)), np.zeros((2, 5, 34), np.uint8))
    full = np.random.default_rng(2).integers(1, 256, (3, 900, 34)).astype(np.uint8)
    check(sparse(full), full)  # more than there is room for at first


def test_some_states_are_taken():
    dense = encoded("suphx")[:40]
    found = sparse(dense)
    mask = np.arange(40) % 3 == 1
    for rows in (mask, np.array([7, 7, 0]), slice(5, 9), slice(0, 0), slice(35, 99)):
        check(found[rows], dense[rows])


def test_suits_are_exchanged():
    dense = encoded("suphx")[:60]
    order = np.arange(60) % len(SUIT_ORDERS)
    found = sparse(dense)
    found.exchange_suits(order)
    check(found, np.array([permute_planes(one, number) for one, number in zip(dense, order, strict=True)]))


def test_tables_that_ask_nobody_are_refused():
    over = positions().records[:1].copy()
    over["seat"] = -1
    for encode in (suphx.encode_sparse, oracle.encode_sparse):
        with pytest.raises(ValueError, match="asks nobody"):
            encode(over)
