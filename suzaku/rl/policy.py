"""The policy as the learner sees it: the steps of the decision flow that led to each action.

A decision of the flow (`suzaku/agents/network.py`) is several answers: no to the melds that were surer than the one
made, yes to that one; riichi or not; the tile. The probability of the action is their product. Answers of models that
do not learn are constants: they are taken off the behaviour's log-probability, and importance weights are those of
the answers that learn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax, logsigmoid

from suzaku.agents.agent import discard_of_kind
from suzaku.agents.network import MELDS, NetworkAgent
from suzaku.agents.suphx import CLAIMS, SuphxAgent
from suzaku.features.sparse import SparsePlanes
from suzaku.networks.run import Planes
from suzaku.riichi import actions as act
from suzaku.rl.buffer import Trajectories
from suzaku.rl.critic import place
from suzaku.rl.policy_gradient import binary_entropy, categorical_entropy
from suzaku.table.tables import take
from suzaku.tiles import KIND_OF


@dataclass
class Steps:
    """Answers of one model."""

    row: np.ndarray  # int64[n]: of which decision
    answer: np.ndarray  # int64[n]: the kind thrown; 1 yes, 0 no
    claim: np.ndarray  # int64[n]: the meld asked about, or -1
    legal: np.ndarray  # bool[n, 34]: kinds that can go (discard model)
    planes: "Planes | None" = None

    def __len__(self) -> int:
        return len(self.row)


Minibatch = dict[str, tuple[Steps, np.ndarray]]  # by model: the steps of some decisions, and whose they are


@dataclass
class Flow:
    """Decisions to learn from: the answers of the models that learn, and the behaviour's log-probability of these."""

    decisions: Trajectories
    steps: dict[str, Steps]
    behaviour: np.ndarray  # float32[n]
    planes: Planes  # what a seat sees at each decision
    of_row: dict[str, np.ndarray] = field(default_factory=dict)  # where the steps of each decision begin

    def __len__(self) -> int:
        return len(self.behaviour)


def learnable(decisions: Trajectories, models: Iterable[str]) -> np.ndarray:
    """bool[n]: where a model that learns was asked, as far as the legal actions and the answer tell."""
    action, legal = decisions.action, decisions.legal
    own = action <= act.RIICHI
    found = np.zeros(len(action), np.bool_)
    for model in models:
        if model == "discard":
            found |= (action <= act.DISCARD_DRAWN) & (legal[:, : act.RIICHI].sum(1) > 1)
        elif model == "riichi":
            found |= own & legal[:, act.RIICHI]
        else:
            first, last = CLAIMS[model]
            found |= legal[:, first:last].any(1) & ~np.isin(action, (act.WIN_DRAW, act.WIN_DISCARD, act.NINE_KINDS))
    return found & np.isfinite(decisions.log_prob)


def flow_of(
    agent: SuphxAgent, decisions: Trajectories, models: tuple[str, ...], planes: SparsePlanes | None = None
) -> Flow:
    """The steps of decisions; `agent` has the weights of the models that do not learn, and says which meld is surest.

    Decisions that no model made (wins, a single choice) must not be among them: see `learnable`. `planes` are what is
    seen at them, where that is known already.
    """
    records, legal, action = decisions.records, decisions.legal, decisions.action
    steps: dict[str, Steps] = {}
    fixed = np.zeros(len(decisions), np.float32)
    melds = _meld_steps(agent, decisions)
    own = action <= act.RIICHI
    rows = np.flatnonzero(own & legal[:, act.RIICHI])
    steps["riichi"] = _yes_no(rows, action[rows] == act.RIICHI, np.full(len(rows), -1))
    rows = np.flatnonzero((action <= act.DISCARD_DRAWN) & (legal[:, : act.RIICHI].sum(1) > 1))
    kinds = discard_of_kind(take(records, rows), legal[rows]) >= 0
    drawn = np.maximum(records["drawn"][rows], 0)
    thrown = KIND_OF[np.where(action[rows] == act.DISCARD_DRAWN, drawn, action[rows])].astype(np.int64)
    steps["discard"] = Steps(rows, thrown, np.full(len(rows), -1), kinds)
    steps |= melds
    seen = planes if planes is not None else agent.encode("discard", records)
    assert isinstance(seen, SparsePlanes)
    for model, found in steps.items():
        if not len(found):
            continue
        if model in CLAIMS:
            found.planes = agent.encode(model, take(records, found.row), found.claim)
        if model not in models:
            mine = found.planes if found.planes is not None else seen[found.row]
            logits = torch.from_numpy(np.asarray(agent.ask(model, mine)))
            said = step_log_prob(model, logits, found, agent.temperature)[0].numpy()
            np.add.at(fixed, found.row, said)
    kept = {model: found for model, found in steps.items() if model in models}
    flow = Flow(decisions, kept, decisions.log_prob - fixed, seen)
    flow.of_row = {model: np.searchsorted(found.row, np.arange(len(decisions) + 1)) for model, found in kept.items()}
    return flow


def discard_flow(agent: NetworkAgent, decisions: Trajectories, kinds: np.ndarray) -> Flow:
    """Decisions that the discard model made alone, of a game whose action is the kind thrown; `kinds` can go."""
    rows = np.arange(len(decisions))
    steps = {"discard": Steps(rows, decisions.action, np.full(len(rows), -1), kinds)}
    planes = agent.encode("discard", decisions.records)
    return Flow(decisions, steps, decisions.log_prob, planes, {"discard": np.arange(len(rows) + 1)})


def _meld_steps(agent: SuphxAgent, decisions: Trajectories) -> dict[str, Steps]:
    """The melds that were asked about before the flow came to its answer."""
    legal, action = decisions.legal, decisions.action
    rows, melds = np.nonzero(legal[:, MELDS])
    out = {model: _yes_no(rows[:0], rows[:0] > 0, rows[:0]) for model in CLAIMS}
    if not len(rows):
        return out
    melds = melds + MELDS.start
    yes = np.empty(len(rows), np.float32)
    for model, (first, last) in CLAIMS.items():
        mine = np.flatnonzero((melds >= first) & (melds < last))
        if len(mine):
            yes[mine] = agent.yes(model, agent.encode(model, take(decisions.records, rows[mine]), melds[mine]))
    made = melds == action[rows]
    sure = np.full(len(decisions), -1.0)
    sure[rows[made]] = yes[made]
    asked = made | (yes > sure[rows])
    for model, (first, last) in CLAIMS.items():
        mine = asked & (melds >= first) & (melds < last)
        out[model] = _yes_no(rows[mine], made[mine], melds[mine])
    return out


def _yes_no(rows: np.ndarray, yes: np.ndarray, claim: np.ndarray) -> Steps:
    return Steps(rows, yes.astype(np.int64), claim, np.zeros((len(rows), 0), np.bool_))


def log_policy(logits: Tensor, steps: Steps, temperature: float) -> Tensor:
    """The log-probability of every answer at a temperature; -inf where it is not legal."""
    if steps.legal.shape[1]:
        logits = logits.masked_fill(~torch.from_numpy(steps.legal).to(logits.device), -torch.inf)
    return log_softmax(logits / temperature, 1)


def step_log_prob(model: str, logits: Tensor, steps: Steps, temperature: float) -> tuple[Tensor, Tensor]:
    """The log-probability of each answer at a temperature, and the entropy of the model there."""
    if model == "discard":
        all_log = log_policy(logits, steps, temperature)
        answer = torch.from_numpy(steps.answer).to(logits.device)
        return all_log.gather(1, answer[:, None])[:, 0], categorical_entropy(all_log)
    logit = (logits[:, 1] - logits[:, 0]) / temperature
    sign = torch.from_numpy(2 * steps.answer - 1).to(logits.device)
    return logsigmoid(sign * logit), binary_entropy(logit)


def minibatch(flow: Flow, rows: np.ndarray) -> Minibatch:
    """The steps of some decisions, with the place of their decision among these."""
    out = {}
    for model, steps in flow.steps.items():
        start, end = flow.of_row[model][rows], flow.of_row[model][rows + 1]
        whose = np.repeat(np.arange(len(rows)), end - start)
        if not len(whose):
            continue
        which = np.concatenate([np.arange(a, b) for a, b in zip(start, end, strict=True)])
        seen = steps.planes[which] if steps.planes is not None else flow.planes[steps.row[which]]
        part = Steps(steps.row[which], steps.answer[which], steps.claim[which], steps.legal[which], seen)
        out[model] = part, whose
    return out


def log_probs(modules: dict[str, nn.Module], batch: Minibatch, size: int, temperature: float) -> tuple[Tensor, Tensor]:
    """For each decision of a batch the log-probability of its learnt answers, and the mean entropy of the answers."""
    return combine(logits_of(modules, batch), batch, size, temperature)


def answers_of(module: nn.Module, steps: Steps) -> Tensor:
    """The logits of a model at some steps, on its device."""
    assert steps.planes is not None
    return module(place(steps.planes, str(next(module.parameters()).device))).float()


def logits_of(modules: dict[str, nn.Module], batch: Minibatch) -> dict[str, Tensor]:
    """What the models say at the steps of a batch."""
    return {model: answers_of(modules[model], steps) for model, (steps, _) in batch.items()}


def combine(logits: dict[str, Tensor], batch: Minibatch, size: int, temperature: float) -> tuple[Tensor, Tensor]:
    """The log-probability of each decision's learnt answers, and their mean entropy, for what the models say."""
    device = next(iter(logits.values())).device
    total = torch.zeros(size, device=device)
    entropies = []
    for model, (steps, whose) in batch.items():
        said, entropy = step_log_prob(model, logits[model], steps, temperature)
        total = total.index_add(0, torch.from_numpy(whose).to(device), said)
        entropies.append(entropy)
    return total, torch.cat(entropies).mean()
