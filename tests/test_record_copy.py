"""Copies of records as plain bytes are the records."""

import numpy as np

from suzaku.riichi.table import Tables
from suzaku.table.tables import join, take


def equal(some, others):
    return some.dtype == others.dtype and all(np.array_equal(some[name], others[name]) for name in some.dtype.names)


def test_copies_are_equal_and_apart():
    tables = Tables(9, seed=4)
    tables.play_random(30, 1)
    rows, mask = np.array([7, 2, 2]), tables.seat == 0
    copy = take(tables.records, rows)
    assert equal(copy, tables.records[rows])
    assert equal(take(tables.records, mask), tables.records[mask])
    assert equal(join([copy, tables.records[:2]]), tables.records[[7, 2, 2, 0, 1]])
    copy["scores"] = 0
    assert tables.records["scores"].any()
