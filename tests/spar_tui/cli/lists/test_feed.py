"""A feed of papers is well-formed whatever stands in their records."""

from datetime import UTC, datetime
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from cache.watches import ShownPaper
from spar_tui.cli.lists.feed import MOST_ITEMS, rss
from tests.agents.scripted import paper

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


def items(feed: bytes) -> list[ElementTree.Element]:
    return ElementTree.fromstring(feed).findall("./channel/item")


def test_an_item_tells_title_people_abstract_page_and_when_it_was_found() -> None:
    found = paper("On <b>birds</b> & bees", "10.1000/b", author="Ada Lovelace", abstract="They fly.", venue="Nature")
    [item] = items(rss([ShownPaper("mine", found, NOW)], ["mine"]))
    told = {part.tag: part.text for part in item}
    assert told["title"] == found.title
    assert told["description"] == "Ada Lovelace · 2020 · Nature\n\nThey fly."
    assert told["link"] == "https://doi.org/10.1000/b"
    assert told["pubDate"] == "Wed, 04 Mar 2026 09:30:00 +0000"
    assert (told["category"], told["guid"]) == ("mine", "mine/doi:10.1000/b")


def test_a_feed_has_no_link_that_leads_nowhere() -> None:
    assert ElementTree.fromstring(rss([], ["mine"])).find("./channel/link") is None


def test_spars_own_words_are_called_so_and_a_retraction_is_told() -> None:
    found = paper("On birds", "10.1000/b", described="A landmark.", retracted=True)
    [item] = items(rss([ShownPaper("mine", found, NOW)], ["mine"]))
    assert item.findtext("title") == "Retracted: On birds"
    assert (item.findtext("description") or "").endswith("spar's note: A landmark.")


def test_a_feed_does_not_grow_for_ever() -> None:
    shown = [ShownPaper("mine", paper(f"Paper {number}", f"10.1000/{number}"), NOW) for number in range(MOST_ITEMS + 5)]
    assert len(items(rss(shown, ["mine"]))) == MOST_ITEMS


@given(st.text(min_size=1), st.text(), st.text())
def test_any_text_makes_a_feed_that_can_be_read(title: str, abstract: str, name: str) -> None:
    shown = [ShownPaper(name, paper(title, "10.1000/x", abstract=abstract), NOW)]
    assert len(items(rss(shown, [name]))) == 1
