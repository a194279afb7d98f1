"""The first start: compile what reading and replaying records needs, once, and say so."""

from suzaku.apps.start import Step, prepare


def warm_up() -> None:
    """Compile what `suzaku.records` needs if it is not in the cache yet."""

    def steps() -> list[Step]:
        import numpy as np

        from suzaku.hand.tables import tables as hand_tables
        from suzaku.records.collect import collect
        from suzaku.records.follow import follow
        from suzaku.records.tally import TALLY, tally
        from suzaku.records.walls import Shuffler
        from suzaku.riichi.actions import ACTIONS
        from suzaku.riichi.rules import Rules
        from suzaku.riichi.state import STATE
        from suzaku.tiles import full_set

        table = np.zeros(1, STATE)
        table["rules"] = Rules.tenhou().to_record()
        s = table[0]
        legal = np.zeros(ACTIONS, np.bool_)
        walls = full_set().reshape(1, -1)
        none = np.zeros(0, np.uint8)
        hands, events = np.zeros((4, 37), np.int8), np.zeros((0, 4), np.int16)
        columns = (np.zeros(1, STATE), np.zeros((1, ACTIONS), np.bool_), np.zeros(1, np.uint8), np.zeros(1, np.uint8))
        counts = np.zeros(1, TALLY).view(np.recarray)[0]
        seed = "mt19937ar-sha512-n288,1,2,3"
        return [
            ("walls", 1, lambda: Shuffler(seed).next_wall()),
            (
                "following a record",
                20,
                lambda: follow(hand_tables(), s, hands, events, True, legal, np.zeros(9, np.uint8)),
            ),
            ("replaying", 5, lambda: collect(hand_tables(), s, walls, none, 1, -1, *columns)),
            ("counting", 5, lambda: tally(hand_tables(), s, walls, none, legal, counts)),
        ]

    prepare(steps, "records")
