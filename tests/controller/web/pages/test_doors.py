"""The pages by which somebody comes to the table: where each is led, who is let in, and what he is shown."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from controller.game.table.caller import Caller
from controller.settings import Web
from controller.web.network import page_addresses
from controller.web.pages.table.audience import View, audience_of
from controller.web.security.guards import OwnPages
from controller.web.security.principal import Principal
from tests.support.api import ApiRig, open_api

HOUSE = {"name": "House", "house": True, "strength": "steady"}
START: dict[str, Any] = {"do": "start", "players": [{"name": "Ann"}, {"name": "Bob"}], "options": {"first": "chosen"}}


@asynccontextmanager
async def open_doors(folder: Path) -> AsyncIterator[ApiRig]:
    async with open_api(folder, played=False) as api:
        yield api


async def link_of(api: ApiRig) -> str:
    return f"/join/{(await api.here.get('/api/access/code')).json()['link']}"


@asynccontextmanager
async def phone(api: ApiRig) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of its own in the network, which keeps its cookies."""
    transport = api.away._transport
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        yield client


async def test_whoever_comes_is_led_to_the_table_while_a_game_is_on(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        before = await api.away.get("/")
        await api.here.post("/api/commands", json=START)
        during = await api.away.get("/")

    assert [(each.status_code, each.headers["location"]) for each in (before, during)] == [
        (303, "/start"),
        (303, "/play"),
    ]


async def test_the_link_lets_in_whoever_has_it_and_gives_the_first_one_the_seats_that_are_free(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        answer = await api.away.get(await link_of(api))
        me = (await api.away.get("/api/access/me")).json()
        begun = await api.away.post("/api/commands", json=START)

    assert (answer.status_code, answer.headers["location"]) == (303, "/start")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert (me["role"], me["names"]) == ("player", [])
    assert begun.status_code == 200


async def test_a_link_that_is_good_no_more_lets_nobody_in_and_asks_for_the_code(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        answer = await api.away.get("/join/AAAAAAAAAAAAAAAAAAAAAA")
        role = (await api.away.get("/api/access/me")).json()["role"]

    assert (answer.status_code, role) == (410, "spectator")
    assert 'name="code"' in answer.text
    assert "This link was for another day. Sit down with today&#39;s code, or just watch." in answer.text
    assert '<p class="refused" id="refused" role="alert" tabindex="-1"></p>' in answer.text


async def test_links_that_somebody_guesses_use_up_no_tries_of_those_who_type_the_code(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        for number in range(70):
            answer = await api.away.get(f"/join/AAAA{number}")
        typed = (await api.here.get("/api/access/code")).json()["typed"]
        in_address = await api.away.get(f"/join/{typed}")
        wrong = await api.away.post("/api/seats", json={"code": "AAAAAA"})
        right = await api.away.post("/api/seats", json={"code": typed})

    assert (answer.status_code, in_address.status_code) == (410, 410)
    assert [each.status_code for each in (wrong, right)] == [403, 200]


@pytest.mark.parametrize(
    ("site", "mode", "dest", "status"),
    [
        ("cross-site", "navigate", "document", 303),  # a link in a chat
        ("none", "navigate", "document", 303),  # a code that is scanned
        ("cross-site", "no-cors", "image", 403),
        ("cross-site", "no-cors", "empty", 403),
        ("cross-site", "navigate", "iframe", 403),
        ("same-site", "cors", "empty", 403),
    ],
)
async def test_a_link_lets_in_who_is_led_there_and_no_page_that_loads_it(
    tmp_path: Path, site: str, mode: str, dest: str, status: int
) -> None:
    async with open_doors(tmp_path) as api:
        said = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
        network = httpx.ASGITransport(app=OwnPages(api.app))
        async with httpx.AsyncClient(transport=network, base_url="http://box") as away:
            answer = await away.get(await link_of(api), headers=said)

    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 303)


async def test_the_link_of_this_computer_lets_in_game_after_game_and_from_nowhere_else(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        home = f"/join/{(await api.here.get('/api/access/link')).json()['link']}"
        asked = await api.away.get("/api/access/link")
        led = []
        for _ in range(2):
            await api.here.post("/api/commands", json=START)
            async with phone(api) as browser:
                led.append((await browser.get(home)).headers.get("location"))
            await api.here.post("/api/commands", json={"do": "abandon"})
        transport = httpx.ASGITransport(app=api.app, client=("10.0.0.2", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as phone_outside:
            refused = await phone_outside.get(home)

    assert asked.status_code == 403
    assert led == ["/play", "/play"]
    assert refused.status_code == 410


@pytest.mark.parametrize(
    ("host", "network", "shown"),
    [
        ("127.0.0.1:8080", Web(on=True, address="127.0.0.1"), ""),
        ("127.0.0.1:8080", Web(on=True, address="192.0.2.7"), "192.0.2.7:8080/join"),
        ("192.0.2.7:8080", Web(on=True), "192.0.2.7:8080/join"),
    ],
)
async def test_where_no_phone_can_open_the_page_it_says_so_and_how_one_could(
    tmp_path: Path, host: str, network: Web, shown: str
) -> None:
    async with open_doors(tmp_path) as api:
        api.app.state.network = network
        page = (await api.here.get("/join", headers={"host": host})).text
        typed = (await api.here.get("/api/access/code")).json()["typed"]

    assert f"{typed[:3]}\u00a0{typed[3:]}" in page
    assert ("/join.svg" in page, f"Or open {shown}" in page) == (bool(shown), bool(shown))
    assert ("<code>shutbox play --mock --network</code>" in page) == (not shown)


async def test_who_scans_again_has_his_chair_back_and_no_second_one(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as bob:
        await bob.get(await link_of(api))
        await bob.post("/api/seats", json={"door": "page", "names": ["Bob"]})
        await api.here.post("/api/commands", json=START)
        again = await bob.get("/join/AAAAAAAAAAAAAAAAAAAAAA")
        me = (await bob.get("/api/access/me")).json()

    assert (again.status_code, again.headers["location"]) == (303, "/play")
    assert me["names"] == ["Bob"]


async def test_where_somebody_sits_already_the_next_one_takes_a_chair_of_his_own(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as tablet, phone(api) as bob:
        await tablet.get(await link_of(api))
        seat = tablet.cookies["shutbox-seat"]
        with api.referee.seating.present(seat):
            await api.here.post("/api/commands", json=START)
            answer = await bob.get(await link_of(api))
            page = (await bob.get("/join")).text
            await bob.post("/api/seats", json={"door": "page", "names": ["Bob"]})
            led = await bob.get("/")

    assert answer.headers["location"] == "/join"
    assert [name in page for name in ('value="Ann"', 'value="Bob"')] == [True, True]
    assert led.headers["location"] == "/play"


async def test_a_chair_says_who_plays_it_now_whether_or_not_somebody_has_taken_it(tmp_path: Path) -> None:
    chairs = "yours until somebody takes it", "somebody at the table plays it until you take it", "free"
    async with open_doors(tmp_path) as api, phone(api) as tablet, phone(api) as bob:
        await tablet.get(await link_of(api))
        await bob.get(await link_of(api))
        await api.here.post("/api/commands", json=START)
        left = (await api.away.get("/join")).text
        with (
            api.referee.seating.present(tablet.cookies["shutbox-seat"]),
            api.referee.seating.present(bob.cookies["shutbox-seat"]),
        ):
            tablets, bobs, strangers = [(await each.get("/join")).text for each in (tablet, bob, api.away)]

    for page, said in ((tablets, chairs[0]), (bobs, chairs[1]), (strangers, chairs[1]), (left, chairs[2])):
        assert [page.count(f"<small>{each}</small>") for each in chairs] == [2 * (each == said) for each in chairs]


async def sit(device: httpx.AsyncClient, *names: str) -> int:
    return (await device.post("/api/seats", json={"door": "page", "names": names})).status_code


async def test_a_game_that_somebody_plays_alone_is_full_and_its_last_chair_can_be_taken_over_not_unseen(
    tmp_path: Path,
) -> None:
    alone = {**START, "players": [{"name": "Ann"}, {"name": "House", "house": True}]}
    async with open_doors(tmp_path) as api, phone(api) as ann, phone(api) as bob:
        await ann.get(await link_of(api))
        with api.referee.seating.present(ann.cookies["shutbox-seat"]):
            await api.here.post("/api/commands", json=alone)
            await bob.get(await link_of(api))
            with api.referee.seating.present(bob.cookies["shutbox-seat"]):
                before, offered = (await ann.get("/play")).text, (await bob.get("/join")).text
            taken = await sit(bob, "Ann")
            after = (await ann.get("/play")).text
            may_act = api.referee.seating.caller(ann.cookies["shutbox-seat"]).acts_for("Ann")

    assert "You can watch, or take over the last seat, for which somebody else at the table plays now." in offered
    assert (">Sit down</button>" in offered, 'href="/play">Watch</a>' in offered) == (True, True)
    assert (taken, may_act) == (200, False)
    for page, is_told in ((before, False), (after, True)):
        assert ("You are watching: Ann plays on another device." in page) == is_told
        assert ('data-do="park"' in page, 'id="act-choose"' in page) == (True, False)
        assert ('<a class="b big" href="/join">Seats at this game</a>' in page) == is_told


async def test_who_looks_on_is_offered_a_seat_only_where_one_is_free_and_the_large_screen_always(
    tmp_path: Path,
) -> None:
    async with open_doors(tmp_path) as api, phone(api) as ann:
        await ann.get(await link_of(api))
        await api.here.post("/api/commands", json={**START, "players": [{"name": "Ann"}]})
        free = (await api.away.get("/play")).text
        await sit(ann, "Ann")
        full = (await api.away.get("/play")).text
        door = (await api.away.get("/join")).text

    assert ["Take a seat to play along." in page for page in (free, full)] == [True, False]
    led = '"quiet">Every seat is taken. <a href="/join">Sit down for the next game</a>'
    assert [led in page for page in (free, full)] == [False, True]
    assert all('href="/wall"' in page for page in (free, full, door))


async def test_a_chair_that_somebody_has_taken_by_name_is_left_to_another_by_that_device_alone(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as ann, phone(api) as bob:
        await ann.get(await link_of(api))
        await api.here.post("/api/commands", json={**START, "players": [{"name": "Ann"}]})
        await sit(ann, "Ann")
        await bob.get(await link_of(api))
        offered, refused = (await bob.get("/join")).text, await sit(bob, "Ann")
        anns = (await ann.get("/join")).text
        left, taken = await sit(ann), await sit(bob, "Ann")

    assert 'value="" required checked' in offered
    assert ("<h1>Every seat is taken.</h1>" in offered, "Which seat is yours?" in offered) == (True, False)
    assert ["data-leave" in page for page in (offered, anns)] == [False, True]
    assert ("You are in, Ann." in anns, 'type="submit"' in anns) == (True, False)
    assert (refused, left, taken) == (409, 200, 200)


async def test_who_sits_down_between_games_is_in_the_list_of_the_next_one(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as cleo:
        await cleo.get(await link_of(api))
        await cleo.post("/api/seats", json={"door": "page", "names": ["Cleo"]})
        between = [seat.name for seat in api.referee.snapshot.waiting]
        page = (await api.away.get("/start")).text
        await api.here.post("/api/commands", json=START)
        during = api.referee.snapshot.waiting

    assert (between, [seat.name for seat in during]) == (["Cleo"], ["Cleo"])
    assert 'data-waiting="Cleo"' in page


async def test_who_comes_to_a_full_game_leaves_a_name_for_the_next_one(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as ann, phone(api) as cleo:
        await ann.get(await link_of(api))
        await api.here.post("/api/commands", json={**START, "players": [{"name": "Ann"}]})
        await sit(ann, "Ann")
        with api.referee.seating.present(ann.cookies["shutbox-seat"]):
            led = [(await cleo.get(await link_of(api))).headers["location"]]
            refused, nameless, taken = [
                await cleo.post("/api/seats", json={"door": "page", "names": names, "next_game": is_next})
                for names, is_next in ((["Cleo"], False), ([], True), (["Ann"], True))
            ]
            await cleo.post("/api/seats", json={"door": "page", "names": ["Cleo"], "next_game": True})
            led.append((await cleo.get("/")).headers["location"])
            here, there = [(await cleo.get(page)).text for page in ("/play", "/join")]
            may_act = api.referee.seating.caller(cleo.cookies["shutbox-seat"]).acts_for("Ann")
        await ann.post("/api/commands", json={"do": "abandon"})
        after = (await ann.get("/play")).text

    assert led == ["/join", "/play"]
    assert [each.status_code for each in (refused, nameless, taken)] == [409, 409, 409]
    assert "say the name under which you play" in nameless.json()["error"]
    assert "Ann plays in this game; say another name" in taken.json()["error"]
    assert all("You are in the next game, Cleo." in page for page in (here, there))
    assert "In the next game: Cleo" in here
    assert not may_act
    assert "Next game, with Cleo" in after


async def test_after_a_game_nobody_who_has_sat_down_since_is_left_out_by_a_tap(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as cleo:
        await api.here.post("/api/commands", json=START)
        await api.here.post("/api/commands", json={"do": "abandon"})
        await cleo.get(await link_of(api))
        before = (await cleo.get("/play")).text
        await cleo.post("/api/seats", json={"door": "page", "names": ["Cleo"]})
        after = (await cleo.get("/play")).text

    assert ["The same again" in page for page in (before, after)] == [True, False]
    assert "Next game, with Cleo" in after


async def test_after_a_game_who_watched_it_is_led_to_a_seat_in_the_next_one(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as ann, phone(api) as cleo:
        await api.here.post("/api/commands", json=START)
        await ann.get(await link_of(api))
        await ann.post("/api/seats", json={"door": "page", "names": ["Ann"]})
        await cleo.get(await link_of(api))
        pages = [(await cleo.get("/play")).text]
        await api.here.post("/api/commands", json={"do": "abandon"})
        pages += [(await each.get("/play")).text for each in (cleo, ann)]
        pages.append((await api.here.get("/kiosk")).text)

    assert ["Sit down for the next game" in page for page in pages] == [False, True, False, False]


async def test_only_who_sits_at_the_table_can_invite(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api, phone(api) as ann:
        await ann.get(await link_of(api))
        typed = (await api.here.get("/api/access/code")).json()["typed"]
        pages = {name: [(await each.get(name)).text for each in (api.away, ann)] for name in ("/join", "/wall")}
        refused, drawn = await api.away.get("/join.svg"), await ann.get("/join.svg")

    stranger, seated = pages["/join"]
    assert f"{typed[:3]}\u00a0{typed[3:]}" in seated
    assert typed[3:] not in stranger
    assert ["/join.svg" in page for page in pages["/wall"]] == [False, True]
    assert (refused.status_code, drawn.status_code) == (403, 200)
    assert drawn.text.startswith("<svg")


async def test_the_first_page_says_what_is_played_and_where_it_is_learnt(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        front = await api.away.get("/", follow_redirects=True)

    heading, learn = front.text.index("<h1>"), front.text.index('href="/learn"')
    about, players = (
        front.text.index(words) for words in ("Shut the Box is a game of dice and tiles.", 'id="players"')
    )
    assert heading < about < players < learn < front.text.index("<fieldset ")


async def test_few_games_stand_before_all_others_the_last_one_first_each_with_its_box(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        pages = [(await api.away.get(address)).text for address in ("/start", "/start?game=thai")]
        games = (await api.away.get("/api/games")).json()

    for page, first in zip(pages, ("two-level", "thai"), strict=True):
        before, _fold, behind = page.partition("<summary>All games")
        shown, folded = (re.findall('name="game" value="([^"]+)"', part) for part in (before, behind))
        assert shown == [first, "pub", "fleet"]
        assert before.count('class="drawn') == len(shown)
        assert sorted(shown + folded) == sorted(each["game"] for each in games)


async def test_who_only_stands_in_is_told_from_those_who_play(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        first = (await api.away.get("/start")).text
        await api.here.post("/api/commands", json={**START, "players": [{"name": "Player"}, *START["players"], HOUSE]})
        await api.here.post("/api/commands", json={"do": "abandon"})
        again = (await api.away.get("/start")).text
        german = (await api.away.get("/start", headers={"Accept-Language": "de"})).text

    def stand_ins(page: str) -> list[str]:
        return re.findall(r'<li data-player[^>]* data-stands-in>.*?value="([^"]*)"', page, re.DOTALL)

    assert stand_ins(first) == ["Player", "House"]
    # A house among several people was chosen.
    assert (stand_ins(again), stand_ins(german)) == (["Player"], ["Spieler"])
    assert 'data-add="Player"' not in again


async def test_the_page_offers_what_was_played_last(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        first = (await api.away.get("/start")).text
        pub = {**START, "game": "pub", "options": {"stake": 7, "first": "chosen"}}
        await api.here.post("/api/commands", json=pub)
        await api.here.post("/api/commands", json={"do": "abandon"})
        again = (await api.away.get("/start")).text
        terms = (await api.away.get("/start/pub")).text
        thai = (await api.away.get("/start/thai")).text
        unknown = await api.away.get("/start/chess")

    assert 'value="two-level" data-title="Two Level" checked' in first
    begins = [re.search(r'name="first".*?value="(\w+)" selected', page, re.DOTALL) for page in (first, thai)]
    assert [found and found[1] for found in begins] == ["chosen", "lowest"], "the first game begins without a throw"
    assert 'value="pub" data-title="Pub" checked' in again
    assert all(f'data-add="{name}"' in again and f'value="{name}"' in again for name in ("Ann", "Bob"))
    assert 'name="stake" value="7"' in terms
    assert unknown.status_code == 404


@pytest.mark.parametrize("page", ["/start", "/join", "/wall", "/kiosk"])
async def test_nothing_on_a_page_needs_what_its_headers_forbid(tmp_path: Path, page: str) -> None:
    async with open_doors(tmp_path) as api:
        text = (await api.here.get(page)).text

    assert " style=" not in text
    assert "<script>" not in text
    assert " onclick=" not in text
    assert "data-language" in text or page == "/wall"


@pytest.mark.parametrize(
    ("web", "first"),
    [
        (Web(address="127.0.0.1", port=8081), "http://127.0.0.1:8081"),
        (Web(address="::1"), "http://[::1]:8080"),
        (Web(name="box.example.org"), "http://box.example.org:8080"),
        (Web(), "http://192.0.2.7:8080"),
    ],
)
def test_the_address_that_most_devices_understand_goes_first(
    web: Web, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.network.own_addresses", lambda: ["192.0.2.7"])
    monkeypatch.setattr("socket.gethostname", lambda: "shutbox.home.arpa")
    addresses = page_addresses(web)

    assert addresses[0] == first
    assert (addresses[-1] == "http://shutbox.local:8080") == (web.address == "::")


@pytest.mark.parametrize(("view", "audiences"), [("wall", 1), ("start", 1), ("play", 3), ("join", 3)])
def test_a_page_on_which_nobody_acts_is_drawn_once_for_all(view: View, audiences: int) -> None:
    asked = HTTPConnection({"type": "http", "headers": []})
    callers = [Caller("page", "player", frozenset(names)) for names in ((), ("Ann",), ("Bob",))]
    found = {audience_of(asked, Principal(False, "", "token", caller, caller.role), view) for caller in callers}
    stranger = Caller("page", "spectator")

    assert len(found) == audiences
    assert audience_of(asked, Principal(False, "", None, stranger, "spectator"), view).may_invite is False
    assert all(audience.may_invite for audience in found)


FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"


async def sit_away(api: ApiRig) -> dict[str, str]:
    """The header of somebody at the table who is not at its own terminal."""
    seat = (await api.here.post("/api/seats", json={"door": "page"})).json()
    return {"Authorization": f"Bearer {seat['token']}"}


@pytest.mark.parametrize(
    ("names", "language", "said"),
    [
        (["Ann", FAMILY], "en", "it has something in it that is not seen, such as joined emoji have."),
        (["Ann", FAMILY], "de", "darin steht etwas, das man nicht sieht, wie in verbundenen Emoji."),
        (["=1+1"], "en", "=1+1 cannot be a name: it begins with = + - or @."),
        (["A,B"], "en", "A,B cannot be a name: it has a comma or a colon in it."),
        (["Ann", "Bob", "Ann"], "fr", "appelle déjà Ann"),
        ([" "], "en", "A player has no name yet"),
    ],
)
async def test_a_refused_name_is_named_with_the_reason_where_it_is_said_and_where_one_sits_down(
    tmp_path: Path, names: list[str], language: str, said: str
) -> None:
    async with open_doors(tmp_path) as api:
        asked = {"Accept-Language": language, **await sit_away(api)}
        start = {**START, "players": [{"name": name} for name in names]}
        lines = [(await api.away.post("/api/commands", json=start, headers=asked)).json()["error"]]
        if len(set(names)) == len(names):
            seat = {"door": "page", "names": names[-1:]}
            lines.append((await api.away.post("/api/seats", json=seat, headers=asked)).json()["error"])

    assert all(said in line for line in lines)
    # An answer has no unseen signs.
    assert names[-1].strip().replace("\u200d", "?") in lines[0]


async def test_people_get_a_refusal_as_a_sentence_and_programs_as_a_line(tmp_path: Path) -> None:
    async with open_doors(tmp_path) as api:
        programs = await sit_away(api)
        people = {"Accept-Language": "en", **programs}
        told, line = [
            (await api.away.post("/api/commands", json={"do": "roll"}, headers=headers)).json()["error"]
            for headers in (people, programs)
        ]
        terms = {**START, "options": {"columns": 12, "rounds": 0}}
        option = (await api.away.post("/api/commands", json=terms, headers=people)).json()["error"]

    assert (told, line) == (
        f"{line[:1].upper()}{line[1:]}.",
        "you cannot throw the dice now: no game is on. You can start a game",
    )
    # The page looks for the field by the name of the option.
    assert re.match("[a-z_]+=", option)


@pytest.mark.parametrize("page", ["/start", "/join", "/play", "/learn", "/kiosk"])
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "runs no scripts"), ("de", "führt keine Skripte aus"), ("fr", "aucun script")],
)
async def test_what_works_without_scripts_is_said_on_every_page_that_needs_them(
    tmp_path: Path, page: str, language: str, said: str
) -> None:
    async with open_doors(tmp_path) as api:
        text = (await api.here.get(page, headers={"Accept-Language": language})).text

    note = text.partition("<noscript>")[2].partition("</noscript>")[0]
    assert said in note
    assert 'href="/rules"' in note
    assert 'href="/games"' in note
