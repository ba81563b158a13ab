"""What is remembered of the model: exactly what was asked, for as long as it holds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils import Database

from cache.migrations import LIBRARY
from cache.reply_cache import LIFETIME, ReplyRequest, keep, recall
from cache.store import Store
from cache.version import VERSION

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ASKED = ReplyRequest("http://localhost/v1", "m", "judge/1", ("system", "user"), "{}")


def test_an_answer_is_recalled_as_it_was_kept(store: Store) -> None:
    assert recall(store, ASKED, NOON) is None
    keep(store, ASKED, '{"a": "ü"}', NOON)
    keep(store, ASKED, '{"a": "newer"}', NOON)
    assert recall(store, ASKED, NOON) == '{"a": "newer"}'


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, endpoint="http://elsewhere/v1"),
        replace(ASKED, model="n"),
        replace(ASKED, prompt="judge/2"),
        replace(ASKED, text=("systemuser",)),
        replace(ASKED, text=("system", "user", "")),
        replace(ASKED, shape='{"a":1}'),
    ],
)
def test_anything_that_shapes_a_reply_makes_another_question(other: ReplyRequest, store: Store) -> None:
    keep(store, ASKED, "{}", NOON)
    assert recall(store, other, NOON) is None


def test_an_answer_is_forgotten_after_its_lifetime_and_not_believed_from_the_future(store: Store) -> None:
    keep(store, ASKED, "{}", NOON)
    assert recall(store, ASKED, NOON + LIFETIME - timedelta(seconds=1)) == "{}"
    assert recall(store, ASKED, NOON + LIFETIME) is None
    assert recall(store, ASKED, NOON - timedelta(seconds=1)) is None
    keep(store, replace(ASKED, model="n"), "{}", NOON + LIFETIME)
    with store.reading() as db:
        assert db.execute("SELECT count(*) FROM model_replies").fetchone() == (1,)


def test_no_prompt_is_kept_in_the_file(store: Store) -> None:
    keep(store, replace(ASKED, text=("very private question",)), "{}", NOON)
    store.close()
    assert b"very private" not in b"".join(file.read_bytes() for file in store.path.parent.iterdir())


def test_a_library_from_before_gets_the_place_for_replies_and_keeps_its_papers(path: Path) -> None:
    db = Database(path)
    LIBRARY.apply(db, stop_before="0002_model_replies")
    db.execute("PRAGMA user_version = 1")
    db.conn.execute("INSERT INTO upkeep VALUES ('kept', 'yes')")
    db.conn.commit()
    db.close()
    with Store.open(path) as store:
        keep(store, ASKED, "{}", NOON)
        assert recall(store, ASKED, NOON) == "{}"
        with store.reading() as reading:
            assert reading.execute("SELECT value FROM upkeep WHERE name = 'kept'").fetchone() == ("yes",)
    assert path.with_name(f"library.db.before-v{VERSION}.bak").exists()


@given(st.builds(ReplyRequest, *[st.text()] * 3, st.lists(st.text()).map(tuple), st.text()))
def test_any_text_has_a_key(asked: ReplyRequest) -> None:
    assert len(asked.key) == 64
