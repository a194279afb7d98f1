"""The trained models that come with the package; suzaku/models/README.md says what they are."""

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "models"


def bundled(name: str) -> Path:
    """The folder of the models of a player: "suphx", "weak" or "gao"."""
    return FOLDER / name
