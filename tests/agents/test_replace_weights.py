"""A player goes on with other weights, all at once."""

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.agents.user_class import identity
from suzaku.networks.bundled import bundled
from suzaku.networks.info import read_weights
from suzaku.networks.run import Model
from suzaku.networks.spec import SUPHX
from suzaku.riichi.table import Tables


@pytest.fixture(scope="module")
def tables():
    tables = Tables(64, seed=5)
    tables.play_random(25, 1)
    return tables.records.copy(), tables.legal.copy()


def weak(model):
    return read_weights(bundled("weak") / model)


def in_memory(**settings):
    return SuphxAgent.from_models({name: Model.from_tensors(*weak(name), 3) for name in SUPHX.models}, **settings)


def doubled(tensors):
    return {name: value * 2 if "head.last" in name else value for name, value in tensors.items()}


def test_models_in_memory_play_like_their_files(tables):
    agent, filed = in_memory(temperature=1.0), make_agent("weak:temperature=1")
    ours, theirs = agent.act(*tables), filed.act(*tables)
    assert np.array_equal(ours.policy, theirs.policy)
    assert np.array_equal(ours.actions, theirs.actions)
    assert (agent.version, filed.version) == (3, 0)
    assert filed.lookahead == agent.lookahead


def test_weights_are_replaced_together(tables):
    agent = in_memory()
    before, known = agent.act(*tables).policy, identity(agent)
    agent.replace_weights({name: doubled(weak(name)[0]) for name in ("discard", "pong")}, 9)
    assert agent.version == 9
    assert [agent.models[name].version for name in agent.models] == [9, 3, 3, 9, 3]
    after = agent.act(*tables).policy
    assert not np.array_equal(after, before)
    assert identity(agent) != known
    agent.replace_weights({name: weak(name)[0] for name in ("discard", "pong")}, 10)
    assert np.array_equal(agent.act(*tables).policy, before)


def test_nothing_is_replaced_if_one_does_not_fit(tables):
    agent = in_memory()
    before = agent.act(*tables).policy
    short = {name: value for name, value in weak("pong")[0].items() if name != "norm.bias"}
    with pytest.raises(ValueError, match=r"lacks the tensor 'norm.bias'"):
        agent.replace_weights({"discard": doubled(weak("discard")[0]), "pong": short}, 9)
    with pytest.raises(ValueError, match="suphx has no model 'value'"):
        agent.replace_weights({"value": short}, 9)
    assert agent.version == 3
    assert np.array_equal(agent.act(*tables).policy, before)


def test_incomplete_players_are_refused():
    models = {name: Model.from_tensors(*weak(name)) for name in SUPHX.models}
    with pytest.raises(ValueError, match=r"suphx needs the models discard, .*: kong is missing"):
        SuphxAgent.from_models({name: models[name] for name in models if name != "kong"})
    with pytest.raises(ValueError, match=r"suphx cannot have suphx-b2c32 pong for its kong model"):
        SuphxAgent.from_models(models | {"kong": models["pong"]})
    tensors, info = weak("discard")
    models["discard"] = Model.from_tensors(tensors, info | {"training": {"lookahead": False}})
    with pytest.raises(ValueError, match="discard was trained without the look-ahead channels"):
        SuphxAgent.from_models(models)
