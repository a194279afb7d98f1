from pathlib import Path

from suzaku.mcr.docs import page
from suzaku.mcr.fans import FANS, FIRST_SMALL


def test_page_of_fans_is_up_to_date():
    assert (Path(__file__).parents[2] / "docs/mcr-fans.md").read_text("utf-8") == page()


def test_table_of_fans_is_sound():
    assert [fan.number for fan in FANS] == list(range(1, 83))
    assert all((fan.value >= 8) == (fan.number < FIRST_SMALL) for fan in FANS)
    assert all(fan.number not in fan.excludes for fan in FANS)
