"""Hints of the web table: the agent's opinion with all that is seen in the hand."""

import asyncio

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.simple import TsumogiriAgent
from suzaku.riichi import actions as act
from suzaku.riichi.table import Table
from suzaku.tiles import NAMES
from tests.riichi.dealt import RIICHI, last_place


def test_a_declined_win_is_explained_and_stays_in_the_list(server):
    record, legal = last_place()

    async def hint():
        return await server.lobby.hints.work_out(
            "suphx", server.lobby.inference.agent("suphx", "riichi"), record, legal
        )

    found = asyncio.run_coroutine_threadsafe(hint(), server.loop).result(60)
    assert found["best"] == act.PASS
    assert found["declined"] == {"action": act.WIN_DISCARD, "why": "ends_fourth"}
    assert found["policy"][str(act.WIN_DISCARD)] == 0.0


def test_names_of_advisers_are_short(server):
    from suzaku.web.inference import Hints

    class Said:
        async def ask(self, agent, record, legal):
            return Answers(np.array([37]))

    table = Table.deal([RIICHI])
    hints = Hints(Said())  # type: ignore[arg-type]
    asked = table.record.reshape(1).copy(), table.legal_mask()[None]
    found = asyncio.run(hints.work_out("suphx:/somewhere/mine", TsumogiriAgent(), *asked))
    hints.close()
    assert found["agent"] == "suphx:mine"
    assert NAMES[int(table.record.drawn)] == found["discards"]["37"]["tile"]


def test_a_hint_for_the_discard_of_riichi_is_about_that_discard(server):
    client = server.sit(server.dealt_table([RIICHI]).id)
    view = client.asked()
    client.send(type="hint", ask=view["ask"], agent="suphx")
    before = client.next("hint")
    client.send(type="hint", ask=view["ask"], agent="suphx", announced=True)
    after = client.next("hint")
    client.send(type="act", ask=view["ask"], action=act.DISCARD_DRAWN)  # the hint declared nothing
    view = client.asked()
    client.send(type="hint", ask=view["ask"], agent="suphx", announced=True)
    refused = client.next("error")
    client.close()
    assert not before["announced"]
    assert before["policy"][str(act.RIICHI)] > 0
    assert before["policy"][str(act.DISCARD_DRAWN)] < 1
    assert after["announced"]
    assert after["policy"] == {str(act.DISCARD_DRAWN): 1.0}
    assert list(after["discards"]) == [str(act.DISCARD_DRAWN)]
    assert refused["code"] == "not_legal"
