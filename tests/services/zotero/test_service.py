"""The stand-in of Zotero keeps Zotero's rules."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.services.zotero import RunningZotero

ITEM: dict[str, Any] = {"itemType": "book", "title": "A book", "creators": []}


@pytest.fixture
def zotero() -> Iterator[RunningZotero]:
    with RunningZotero(version=10) as running:
        yield running


def ask(zotero: RunningZotero, method: str, path: str, **more: Any) -> httpx.Response:
    with httpx.Client(base_url=zotero.environment["SPAR_ZOTERO_URL"], trust_env=False) as client:
        return client.request(method, path, **more)


def permission(zotero: RunningZotero) -> dict[str, str]:
    key = ask(zotero, "POST", "/api/local/authorize", json={"appName": "test"}).json()["key"]
    return {"zotero-api-key": key, "zotero-server-id": zotero.zotero.server}


@pytest.mark.parametrize("headers", [{"user-agent": "Mozilla/5.0"}, {"origin": "https://example.org"}])
def test_what_comes_from_a_page_is_dropped_without_an_answer(zotero: RunningZotero, headers: dict[str, str]) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        ask(zotero, "GET", "/api/", headers=headers)
    allowed = {**headers, "zotero-allowed-request": "1"}
    assert ask(zotero, "GET", "/api/", headers=allowed).status_code == 200


def test_only_its_own_host_user_version_and_orders_are_taken(zotero: RunningZotero) -> None:
    assert ask(zotero, "GET", "/api/", headers={"host": "example.org"}).text == "Invalid Host header"
    assert ask(zotero, "GET", "/api/users/12345/items").status_code == 400
    assert ask(zotero, "GET", "/api/users/0/items", headers={"zotero-api-version": "2"}).status_code == 501
    assert ask(zotero, "GET", "/api/users/0/items?format=atom").status_code == 501
    assert ask(zotero, "GET", "/api/users/0/items?sort=x").text == "Invalid 'sort' value 'x'"


def test_without_a_limit_the_whole_library_is_told_at_once(zotero: RunningZotero) -> None:
    for _ in range(130):
        zotero.zotero.add(ITEM)
    assert len(ask(zotero, "GET", "/api/users/0/items").json()) == 130
    page = ask(zotero, "GET", "/api/users/0/items?limit=100&start=100")
    assert (len(page.json()), page.headers["total-results"]) == (30, "130")


def test_writing_needs_a_key_and_the_servers_id_and_at_most_fifty_objects(zotero: RunningZotero) -> None:
    def write(headers: dict[str, str], many: int = 1) -> int:
        return ask(zotero, "POST", "/api/users/0/items", json=[ITEM] * many, headers=headers).status_code

    headers = permission(zotero)
    assert write({}) == 401
    assert write({**headers, "zotero-api-key": "other"}) == 401
    assert write({"zotero-api-key": headers["zotero-api-key"]}) == 428
    assert write({**headers, "zotero-server-id": "other"}) == 412
    assert write(headers, 51) == 413
    assert write(headers, 50) == 200
    assert len(zotero.zotero.items) == 50


def test_a_yes_that_is_not_remembered_is_good_for_one_write_and_five_are_asked_for_in_a_minute(
    zotero: RunningZotero,
) -> None:
    zotero.zotero.answer_of_dialog = "once"
    headers = permission(zotero)
    codes = [ask(zotero, "POST", "/api/users/0/items", json=[ITEM], headers=headers).status_code for _ in range(2)]
    assert codes == [200, 401]
    replies = [ask(zotero, "POST", "/api/local/authorize", json={"appName": "test"}) for _ in range(5)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 200, 429]
    assert 50 <= int(replies[-1].headers["retry-after"]) <= 60


def test_what_the_schema_does_not_know_fails_alone(zotero: RunningZotero) -> None:
    wrong = [ITEM, ITEM | {"DOI": "10.1000/x"}, ITEM | {"creators": [{"creatorType": "artist", "name": "X"}]}]
    told = ask(zotero, "POST", "/api/users/0/items", json=wrong, headers=permission(zotero)).json()
    assert set(told["successful"]) == {"0"}
    assert told["failed"]["1"]["message"] == "'DOI' is not a valid field for type 'book'"
    assert "creator type" in told["failed"]["2"]["message"]


def test_before_version_10_nothing_is_written_but_by_the_connector() -> None:
    with RunningZotero(version=7) as zotero:
        assert "zotero-server-id" not in ask(zotero, "GET", "/api/").headers
        assert ask(zotero, "POST", "/api/users/0/items", json=[ITEM]).text == "Endpoint does not support method"
        sent = {"sessionID": "abc", "uri": "", "items": [ITEM]}
        replies = [ask(zotero, "POST", "/connector/saveItems", json=sent) for _ in range(2)]
        assert [(reply.status_code, reply.text) for reply in replies] == [
            (201, ""),
            (409, '{"error": "SESSION_EXISTS"}'),
        ]
        assert ask(zotero, "GET", "/connector/ping").headers["x-zotero-version"] == "7.0"


def test_a_file_is_a_redirect_to_its_place(zotero: RunningZotero) -> None:
    key = zotero.zotero.attach(zotero.zotero.add(ITEM), "/desk/a b.pdf")
    reply = ask(zotero, "GET", f"/api/users/0/items/{key}/file")
    assert (reply.status_code, reply.headers["location"]) == (302, "file:///desk/a%20b.pdf")
