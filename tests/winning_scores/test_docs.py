"""The page keeps up with the list of features."""

from pathlib import Path

from suzaku.winning_scores.docs import table


def test_the_table_of_features_is_that_of_the_code():
    page = Path(__file__).parents[2] / "docs" / "winning_scores.md"
    assert table() in page.read_text(encoding="utf-8"), "python -m suzaku.winning_scores.docs writes the table"
