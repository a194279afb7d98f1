"""The games of a store that a model has not seen: what a test may be made of."""

from pathlib import Path
from typing import Any

from suzaku.records.store import Store
from suzaku.records.stored import split_of
from suzaku.words import some

NAMES = ["id", "content"]  # a game is the same one if either is


class Unseen(Store):
    """A store without the games that another one has for training or validation."""

    def __init__(self, path: str | Path, trained: str | Path | Store) -> None:
        """Open the store at `path`; `trained` is the one that was learnt from."""
        super().__init__(path)
        self.trained = trained if isinstance(trained, Store) else Store(trained)
        self._seen: set[str] = set()
        for _, _, rows in self.trained.read_groups(NAMES):
            for row in rows:
                if split_of(row["id"]) != "test":
                    self._seen.update(_names(row))
        found = [self._is_seen(row) for _, _, rows in Store(path).read_groups(NAMES) for row in rows]
        self.left_out = sum(found)
        if found and self.left_out == len(found):
            raise ValueError(
                f"{path} cannot be the test: all its games are among the training and validation games of {trained}"
            )

    def read_group(self, number: int, group: int, columns: list[str] | None = None) -> list[dict[str, Any]]:
        """The rows of one row group, without those of games that were seen."""
        wanted = None if columns is None else list(dict.fromkeys([*columns, *NAMES]))
        return [row for row in super().read_group(number, group, wanted) if not self._is_seen(row)]

    def said(self) -> str:
        """What is left out, in a sentence; nothing if all games stay."""
        if not self.left_out:
            return ""
        return (
            f"{self.path} shares {some(self.left_out, 'game')} with the training and validation games of "
            f"{self.trained}: left out of the test, which keeps {some(len(self), 'game')}."
        )

    def _is_seen(self, row: dict[str, Any]) -> bool:
        return not self._seen.isdisjoint(_names(row))

    def __len__(self) -> int:
        return super().__len__() - self.left_out


def _names(row: dict[str, Any]) -> list[str]:
    content = row.get("content")  # the first version of the store had none
    return [row["id"], f"content {content}"] if content else [row["id"]]
