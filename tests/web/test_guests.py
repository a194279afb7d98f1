"""Several people and tables one comes back to, in the browser: names, the address to send, Continue."""

import asyncio

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright (make test installs it)")


def test_a_guest_gives_a_name_before_the_game_starts(server, new_page):
    id = server.new_table(people=3, opponents=["tsumogiri"])
    host, guest = new_page(f"#/table/{id}"), new_page(f"#/table/{id}")
    for page, name in ((host, "Aoi"), (guest, "Beni")):
        assert page.get_by_role("button", name="Begin now").count() == 0
        page.get_by_label("Your name").press_sequentially(name[:2])
        third = server.sit(id, name="Chika")  # others come and go while one types
        page.get_by_text("Chika").wait_for()
        third.send(type="leave")
        page.get_by_text("Chika").wait_for(state="detached")
        page.keyboard.type(name[2:])
        page.get_by_role("button", name="Sit down").click()
        page.get_by_role("button", name="Begin now").wait_for()
        third.close()
    host.get_by_text("Beni").wait_for()
    host.get_by_role("button", name="Begin now").click()
    for page in (host, guest):
        page.locator(".own-hand .tile").first.wait_for()
    assert "Beni" in host.locator(".board").inner_text()
    assert "Aoi" in guest.locator(".board").inner_text()


def test_the_address_that_others_can_reach(server, new_page):
    addresses = ["http://192.168.1.7:8686"]

    def change(message):
        yield {**message, "addresses": addresses} if message["type"] == "seated" else message

    id = server.new_table(people=2)
    page = new_page(f"#/table/{id}", change=change)
    page.get_by_label("Your name").fill("Aoi")
    page.keyboard.press("Enter")
    page.get_by_text(f"http://192.168.1.7:8686/#/table/{id}").wait_for()
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied").wait_for()
    addresses.clear()
    page.reload()
    page.get_by_text("suzaku play --host 0.0.0.0").wait_for()
    assert page.locator(".address code").inner_text() == page.url  # for another window of this machine
    assert page.get_by_text("Send them this address").count() == 0


def test_continue_leads_back_to_the_own_seat(server, new_page):
    page = new_page()
    page.get_by_label("Pace of the agents").select_option("0")
    page.get_by_role("button", name="Start").click()
    page.locator(".own-hand .tile").first.wait_for()
    table = page.url
    page.goto(f"http://{server.host}/#/")
    row = page.locator("#mine")
    row.get_by_text("East 1").wait_for()
    row.get_by_role("link", name="Continue").click()
    page.locator(".own-hand .tile").first.wait_for()
    assert page.url == table
    stranger = new_page()
    stranger.get_by_role("button", name="Start").wait_for()
    assert not stranger.locator("#mine").is_visible()


def test_a_guest_whose_seat_was_taken_meanwhile_is_told(server, new_page):
    id = server.new_table(people=2)
    host = server.sit(id, name="Aoi")
    page = new_page(f"#/table/{id}")
    page.get_by_role("button", name="Sit down").wait_for()
    room = server.lobby.rooms[id]
    place = next(place for place in room.seats if place.person and not place.name)

    async def lose_the_seat() -> None:
        for connection in place.connections:
            connection.post(None)
        while not place.free:
            await asyncio.sleep(0.002)
        place.take("Chika")

    asyncio.run_coroutine_threadsafe(lose_the_seat(), server.loop).result(30)
    page.get_by_text("No seat is free").wait_for()
    assert page.get_by_role("button", name="Sit down").count() == 0
    host.close()
