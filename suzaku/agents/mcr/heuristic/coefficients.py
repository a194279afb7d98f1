"""The numbers that the player's judgement hangs on, tuned by play against itself."""

import numpy as np

COEFFICIENTS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hazard", "f8"),  # how likely another seat ends the hand between two own draws
                ("claims", "f8"),  # how often an opponent discards an unseen tile, against drawing it
                ("claim_gain", "f8"),  # what a hand expects counts so much more without a claim
                ("loss", "f8"),  # what dealing in costs beyond what everyone pays
                ("most", "f8"),  # points of an ordinary win: where what a hand expects levels off
            ],
            align=True,
        ),
    )
)
USUAL = {"hazard": 0.12, "claims": 0.35, "claim_gain": 1.05, "loss": 12.0, "most": 45.0}


def coefficients(**changed: float) -> np.record:
    """The usual numbers, some of them changed."""
    record = np.zeros(1, COEFFICIENTS)[0]
    for name, value in {**USUAL, **changed}.items():
        record[name] = value
    return record
