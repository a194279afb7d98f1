"""The grammar of names, and what goes in and out of each model."""

import pytest

from suzaku.features.channels import CLAIM, GAO, SUPHX, table_hash
from suzaku.networks import spec
from suzaku.networks.spec import NetworkSpec, model_spec, network_spec


def test_names_say_their_sizes():
    assert network_spec("suphx-b50c256") == NetworkSpec("suphx-b50c256", spec.SUPHX, (50, 256))
    assert network_spec("gao-86") == NetworkSpec("gao-86", spec.GAO)


@pytest.mark.parametrize(
    "name", ["", "suphx", "suphx-b5", "suphx-b0c64", "suphx-b05c64", "suphx-b5c64 ", "SUPHX-b5c64", "gao-87", "mortal"]
)
def test_other_names_are_refused_with_what_is_possible(name):
    with pytest.raises(ValueError, match=r"is not a network: expected suphx-b.* or 'gao-86'"):
        network_spec(name)


def test_outputs():
    assert [model_spec("suphx-b5c64", model).outputs for model in ("discard", "riichi", "chow", "pong", "kong")] == [
        34,
        2,
        2,
        2,
        2,
    ]
    assert [model_spec("gao-86", model).outputs for model in ("discard", "riichi", "chow", "pong")] == [34, 2, 4, 2]


def test_a_model_the_network_has_not_is_refused():
    with pytest.raises(
        ValueError, match=f"'kong' is not a model of gao-86: expected one of {', '.join(spec.GAO.models)}"
    ):
        model_spec("gao-86", "kong")


@pytest.mark.parametrize(
    ("network", "model", "shape", "name", "groups"),
    [
        ("suphx-b5c64", "riichi", (838, 34), "suphx", SUPHX),
        ("suphx-b5c64", "kong", (958, 34), "suphx+claim", SUPHX + CLAIM),
        ("gao-86", "chow", (86, 34, 4), "gao", GAO),
    ],
)
def test_inputs_are_a_feature_set(network, model, shape, name, groups):
    seen = model_spec(network, model).features
    assert (seen.shape, seen.name, seen.version, seen.hash) == (shape, name, 1, table_hash(groups))


def test_networks_of_mcr():
    assert network_spec("mcr-55-b3x5c64").sizes == (3, 5, 64)
    names = ["mcr-55-b2x3c8", "mcr-15-b1x3c8", "mcr-plan-b2c8"]
    assert {network_spec(name).family.player for name in names} == {"mcr"}
    assert [model_spec("mcr-55-b1x3c8", model).outputs for model in ("discard", "pong", "chow")] == [34, 2, 2]
    assert model_spec("mcr-55-b1x3c8", "discard").features.shape == (55, 34)
    assert model_spec("mcr-55-b1x3c8", "chow").features.shape == (56, 34)
    for wrong in ("mcr-55-b3x4c64", "mcr-56-b3x3c64", "mcr-plan-b3x3c64", "mcr"):
        with pytest.raises(ValueError, match="is not a network"):
            network_spec(wrong)
    with pytest.raises(ValueError, match="'kong' is not a model of mcr-55-b1x3c8"):
        model_spec("mcr-55-b1x3c8", "kong")
