"""The results of stored searches as an RSS 2.0 feed."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree import ElementTree as ET

from cache.watches import ShownPaper
from connectors.paper import all_authors
from connectors.records.visible import first_words

MOST_ITEMS = 200
_SUMMARY = 1_500
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def rss(entries: Sequence[ShownPaper], names: Sequence[str]) -> bytes:
    """Return the feed of the papers that the stored searches `names` have shown, latest first; the same for the same
    papers. The channel has no link, because a local file has no web page."""
    feed = ET.Element("rss", version="2.0")
    channel = ET.SubElement(feed, "channel")
    _text(channel, "title", f"spar: {', '.join(names)}")
    _text(channel, "description", "Papers that stored searches have found new")
    if entries:
        _text(channel, "lastBuildDate", _date(max(item.seen for item in entries)))
    for item in entries[:MOST_ITEMS]:
        channel.append(_item(item))
    ET.indent(feed)
    text: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _item(shown_paper: ShownPaper) -> ET.Element:
    item, paper = ET.Element("item"), shown_paper.paper
    _text(item, "title", f"Retracted: {paper.title}" if paper.retracted else paper.title)
    if page := paper.page:
        _text(item, "link", page)
    facts = [all_authors(paper), str(paper.year or ""), paper.venue]
    about = paper.abstract or (f"spar's note: {paper.described}" if paper.described else "")
    lines = [" · ".join(fact for fact in facts if fact), first_words(about, _SUMMARY)]
    _text(item, "description", "\n\n".join(part for part in lines if part))
    _text(item, "category", shown_paper.watch)
    ET.SubElement(item, "guid", isPermaLink="false").text = _sayable(f"{shown_paper.watch}/{paper.id}")
    _text(item, "pubDate", _date(shown_paper.seen))
    return item


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = _sayable(text)


def _sayable(text: str) -> str:
    """Return `text` without characters that XML cannot contain, such as lone surrogates."""
    return _FORBIDDEN.sub("", text)


def _date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC))
