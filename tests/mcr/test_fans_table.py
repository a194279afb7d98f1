from suzaku.mcr.fans import FANS, FIRST_SMALL


def test_table_of_fans_is_sound():
    assert [fan.number for fan in FANS] == list(range(1, 83))
    assert all((fan.value >= 8) == (fan.number < FIRST_SMALL) for fan in FANS)
    assert all(fan.number not in fan.excludes for fan in FANS)
