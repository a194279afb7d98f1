"""The grammar of names, and what goes in and out of each model."""

import pytest

from suzaku.features.groups import CLAIM, GAO, SUPHX, table_hash
from suzaku.networks import names
from suzaku.networks.names import Network, inputs, outputs, parse


def test_names_say_their_sizes():
    assert parse("suphx-b50c256") == Network("suphx-b50c256", names.SUPHX, (50, 256))
    assert parse("gao-86") == Network("gao-86", names.GAO)


@pytest.mark.parametrize(
    "name", ["", "suphx", "suphx-b5", "suphx-b0c64", "suphx-b05c64", "suphx-b5c64 ", "SUPHX-b5c64", "gao-87", "mortal"]
)
def test_other_names_are_refused_with_what_is_possible(name):
    with pytest.raises(ValueError, match=r"is not a network: expected suphx-b.* or 'gao-86'"):
        parse(name)


def test_outputs():
    assert [outputs("suphx-b5c64", model) for model in ("discard", "riichi", "chow", "pong", "kong")] == [
        34,
        2,
        2,
        2,
        2,
    ]
    assert [outputs("gao-86", model) for model in ("discard", "riichi", "chow", "pong")] == [34, 2, 4, 2]


def test_a_model_the_network_has_not_is_refused():
    with pytest.raises(
        ValueError, match=f"'kong' is not a model of gao-86: expected one of {', '.join(names.GAO.models)}"
    ):
        inputs("gao-86", "kong")


@pytest.mark.parametrize(
    ("network", "model", "shape", "name", "groups"),
    [
        ("suphx-b5c64", "riichi", (838, 34), "suphx", SUPHX),
        ("suphx-b5c64", "kong", (958, 34), "suphx+claim", SUPHX + CLAIM),
        ("gao-86", "chow", (86, 34, 4), "gao", GAO),
    ],
)
def test_inputs_are_a_feature_set(network, model, shape, name, groups):
    seen = inputs(network, model)
    assert (seen.shape, seen.name, seen.version, seen.hash) == (shape, name, 1, table_hash(groups))
