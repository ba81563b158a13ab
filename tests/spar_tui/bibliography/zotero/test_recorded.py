"""Every recorded reply of Zotero is read, or refused by name."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from connectors.errors import SourceError
from connectors.http.responses import HttpReply
from connectors.zotero.client import ApiOff, KeyRefused, answered, listed
from connectors.zotero.library import ZoteroItem, read_written
from spar_tui.bibliography.zotero.sending import entries_of

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures-more"


def recorded() -> list[dict[str, Any]]:
    if not FIXTURES.is_dir():
        return []
    rows = json.loads((FIXTURES / "MANIFEST.json").read_text("utf-8"))
    listed_rows = rows if isinstance(rows, list) else next(value for value in rows.values() if isinstance(value, list))
    return [row for row in listed_rows if row["service"] == "zotero"]


def reply_of(row: dict[str, Any]) -> HttpReply:
    headers = httpx.Headers({**row.get("headers", {}), "content-type": row["content_type"]})
    return HttpReply(row["status"], headers, (FIXTURES / row["file"]).read_bytes())


def read(row: dict[str, Any]) -> str:
    """What a recorded reply was read as. Raises `SourceError`."""
    reply = answered(reply_of(row))
    if row["method"] == "POST":
        told = json.loads(reply.body)
        many = sum(len(told.get(part, ())) for part in ("success", "unchanged", "failed"))
        done = read_written(reply, many)
        assert len(done.keys) + len(done.failed) == many
        return "written"
    rows = listed(reply)
    items = [one for one in rows if isinstance(one.get("data"), dict) and "itemType" in one["data"]]
    if not items:
        return "others"
    found = entries_of([ZoteroItem(one["key"], one["data"]) for one in items])
    works = [one for one in items if one["data"]["itemType"] not in ("attachment", "note", "annotation")]
    assert len(found.entries) == len(works), found.problems
    return "items"


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="recorded replies (../shared/fixtures-more) are not here")
def test_every_recorded_reply_is_read_or_refused_by_name() -> None:
    outcomes: Counter[str] = Counter()
    for row in recorded():
        try:
            outcomes[read(row)] += 1
        except SourceError as error:
            outcomes["refused" if str(error).startswith("Zotero: ") else "refused without a name"] += 1
    assert "refused without a name" not in outcomes
    assert outcomes.total() == len(recorded()) >= 56
    assert min(outcomes["items"], outcomes["written"]) > 5


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="recorded replies (../shared/fixtures-more) are not here")
def test_the_refusals_of_the_local_server_are_told_apart() -> None:
    rows = {row["file"].removeprefix("zotero/").split("__")[1]: row for row in recorded() if "zotero__" in row["file"]}
    for name, kind in {"local-write-no-key": KeyRefused, "local-write-bad-key": KeyRefused}.items():
        with pytest.raises(kind):
            answered(reply_of(rows[name]))
    with pytest.raises(SourceError, match="asks for a pause until"):
        answered(reply_of(rows["local-authorize-rate"]))
    with pytest.raises(ApiOff):
        answered(HttpReply(403, httpx.Headers(), b"Local API is not enabled"))
