"""Gao's planes: their number, and that they tell nothing hidden."""

import numpy as np
import pytest

from suzaku.features import gao
from suzaku.features.channels import GAO, first, size
from suzaku.riichi import resample_hidden
from tests.features.positions import positions


def test_planes_are_86():
    assert size(GAO) == gao.SHAPE[0] == 86
    assert first(GAO, "past_1") == 28


def test_hidden_tiles_change_nothing():
    records = positions().records[::3].copy()
    before = gao.encode_many(records)
    resample_hidden(records, records["seat"], 2)
    assert (gao.encode_many(records) == before).all()


def test_wrong_array_is_refused():
    with pytest.raises(ValueError, match="uint8"):
        gao.encode_many(positions().records[:1], np.zeros((1, 86, 34, 4), bool))
