"""A paper on its own screen: its page, its links to walk, its note, and what the reading history keeps of it."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import Static

from agents.run.runner import Runner
from agents.search.events import Event, PaperJudged
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import papers, reading_history, shelf
from cache.store import Store
from connectors.capability import Capability
from connectors.errors import NotFound, SourceUnavailable
from connectors.paper import Paper, Version, WorkId
from connectors.source import Answer
from spar_tui.errors import Failure
from spar_tui.tui.screens import paper_actions
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import EVIDENCE, PaperPage, page
from tests.agents.scripted import ScriptedSource, paper
from tests.rows import each
from tests.spar_tui.citation_map.maps import events_of
from tests.spar_tui.tui.scenes import show
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, Scene, play, resources, settings_at

SEED = paper("A seed paper", "10.1000/seed", abstract="It begins.", venue="Beginnings")


@dataclass
class LinkedSource(ScriptedSource):
    """Everything cites OTHERS, and is cited by SPARSE, which its records do not tell."""

    capabilities: frozenset[Capability] = frozenset(Capability) - {Capability.LISTS_REFERENCES}

    async def references(self, paper: Paper, limit: int) -> Answer:
        return await self._say(OTHERS)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        return await self._say(SPARSE)


def done(home: Path) -> list[tuple[str, str]]:
    """The reading history: act and title, the oldest first."""
    with Store.open(settings_at(home).places.database) as store:
        return [
            (one.act, papers.by_ids(store, [one.number])[0].title)
            for one in reversed(reading_history.interactions(store))
        ]


def links(hand: Hand) -> list[str]:
    return [row.title for row in hand.app.screen.query_one(PaperList).rows]


def about(hand: Hand) -> str:
    assert isinstance(hand.app.screen, PaperScreen)
    return hand.app.screen.about.title


async def on_seed(hand: Hand) -> None:
    hand.app.open_paper(SEED)
    await hand.settled()


def test_the_keywords_that_sources_told_stand_on_the_page(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.open_paper(paper("A seed paper", "10.1000/seed", keywords=["Seeds", "Plants, Edible"]))
        await hand.until_shown("Seeds · Plants, Edible")
        await hand.until_shown("Keywords")
        hand.app.open_paper(OTHERS[0])
        await hand.until(lambda: OTHERS[0].title in hand.text and "Keywords" not in hand.text)

    play(tmp_path, scene, resources(LinkedSource("openalex")))


def test_references_and_citations_are_lists_to_walk(tmp_path: Path) -> None:
    """Enter goes deeper, Escape back; each screen keeps its lists."""

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("r")
        await hand.until(lambda: links(hand) == [one.title for one in OTHERS])
        await hand.press("j", "enter")
        assert about(hand) == OTHERS[1].title
        await hand.until_shown("A seed paper ›")
        await hand.press("c")
        await hand.until(lambda: links(hand) == [one.title for one in SPARSE])
        await hand.until_shown("6 citing papers, 6 new")
        await hand.until_shown("openalex 6")
        await hand.press("escape", "escape")
        assert about(hand) == SEED.title
        assert links(hand) == [one.title for one in OTHERS]

    play(tmp_path, scene, resources(LinkedSource("openalex")))


@dataclass
class GatedSource(LinkedSource):
    """Answers a request for citing papers when its gate is opened."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        await self.gate.wait()
        return await super().citations(paper, limit)


def test_the_status_line_says_at_once_what_is_looked_for(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("c")
        assert hand.lines[-2].strip() == "Looking for papers citing it…"
        gate.set()
        await hand.until(lambda: hand.lines[-2].startswith(" 6 citing papers, 6 new"))

    play(tmp_path, scene, resources(GatedSource("openalex", gate=gate)))


def test_known_links_are_listed_while_the_others_are_fetched_and_the_cursor_and_marks_stay_on_them(
    tmp_path: Path,
) -> None:
    gate = asyncio.Event()

    async def scene(hand: Hand) -> None:
        papers.remember(hand.app.store, [SEED, SPARSE[4]])
        papers.link(hand.app.store, [SPARSE[4]], [SEED])
        shelf.save(hand.app.store, [SPARSE[4]])
        await on_seed(hand)
        await hand.until_shown("Known here: 1 citing paper")
        await hand.press("c")
        await hand.until(lambda: links(hand) == [SPARSE[4].title])
        await hand.until_shown("Looking for papers citing it")
        await hand.press("space")
        await hand.until_shown("1 marked")
        gate.set()
        await hand.until(lambda: len(links(hand)) == len(SPARSE))
        screen = hand.app.screen
        assert isinstance(screen, PaperScreen)
        assert screen.paper == SPARSE[4]
        assert [screen.paper_of(key) for key in screen.marked] == [SPARSE[4]]
        await hand.until(lambda: hand.text.count("★") == 1)
        await hand.press("home", "tab", "r")
        await hand.until(lambda: links(hand) == [one.title for one in OTHERS])
        await hand.until(lambda: "★" not in hand.text)
        assert not screen.marked

    play(tmp_path, scene, resources(GatedSource("openalex", gate=gate)))


@each(("address", "is_shown"), [
    ("https://doi.org/10.1000/SEED", False),
    ("https://example.org/seeds", True),
    (None, False),
])  # fmt: skip
def test_the_address_of_a_page_is_shown_unless_an_identifier_has_it(address: str | None, is_shown: bool) -> None:
    lines = page(replace(SEED, url=address)).plain.splitlines()
    assert [line.removeprefix("page").strip() for line in lines if line.startswith("page")] == [address] * is_shown


def test_references_are_listed_with_the_newest_first(tmp_path: Path) -> None:
    @dataclass
    class OfAllYears(LinkedSource):
        async def references(self, paper: Paper, limit: int) -> Answer:
            return await self._say(
                [replace(one, date=f"{year}") for one, year in zip(OTHERS, (2011, 2024, 2019), strict=False)]
            )

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("r")
        await hand.until(lambda: [row.year for row in hand.papers.rows] == ["2024", "2019", "2011"])

    play(tmp_path, scene, resources(OfAllYears("openalex")))


def test_the_links_of_a_paper_are_told_and_not_that_its_search_has_ended_again(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await in_search(hand)
        live = hand.app.runs_shown[next(iter(hand.app.runs_shown))]
        await hand.press("c")
        await hand.until_shown("citing papers, ")
        await hand.until(lambda: not live.under_way)
        hand.app._tell_ended()
        assert "relevant papers for" not in hand.told

    play(tmp_path, scene, resources(LinkedSource("openalex")))


def test_a_source_that_fails_is_named_and_asked_again_on_request(tmp_path: Path) -> None:
    broken = LinkedSource("arxiv", error=SourceUnavailable("arxiv", "did not answer."))

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("r")
        await hand.until_shown("✘ arxiv failed (did not answer)")
        assert links(hand) == [one.title for one in OTHERS]
        await hand.press("escape")
        broken.error = None
        await hand.press("r")
        await hand.until(lambda: "✘" not in hand.text)

    play(tmp_path, scene, resources(LinkedSource("openalex"), broken))


def test_a_reason_that_needs_two_lines_gets_them(tmp_path: Path) -> None:
    reason = "paused until 17:19:30 UTC; it is not working right now, HTTP 500"
    broken = LinkedSource("semanticscholar", error=SourceUnavailable("semanticscholar", reason))

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("r")
        await hand.until_shown("✘ semanticscholar failed")
        await hand.until(lambda: reason in " ".join(" ".join(hand.lines[-3:]).split()))
        await hand.resize(200, 36)
        await hand.until(lambda: reason in hand.lines[-2])

    play(tmp_path, scene, resources(LinkedSource("openalex"), broken), (80, 24))


def test_a_paper_that_no_source_knows_says_so(tmp_path: Path) -> None:
    unknown = ScriptedSource("openalex", error=NotFound("openalex", "does not know it."))

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("c")
        await hand.until_shown("No source knows this paper.")

    play(tmp_path, scene, resources(unknown))


def test_from_a_search_the_page_says_why_it_was_found(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        title = hand.highlighted
        await hand.press("enter", "enter")
        assert about(hand) == title
        await hand.until_shown("Relevance")
        await hand.until_shown("openalex #")
        await hand.press("escape")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_both_versions_are_shown(tmp_path: Path) -> None:
    both = replace(
        SEED, preprint=Version("arXiv", "2019-03", url="https://arxiv.org/abs/1"), published=Version("ACL", "2020")
    )

    async def scene(hand: Hand) -> None:
        hand.app.open_paper(both)
        await hand.settled()
        await hand.until_shown("preprint")
        await hand.until_shown("arXiv · 2019-03")
        await hand.until_shown("ACL · 2020")

    play(tmp_path, scene, resources())


def test_the_keys_act_on_the_paper_under_the_hand(tmp_path: Path) -> None:
    """On the page the paper of the page, in the list the one that is highlighted."""

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("s")
        await hand.until_shown("On the shelf")
        await hand.press("r")
        await hand.until(lambda: bool(links(hand)))
        await hand.press("j", "s")
        await hand.until_shown("★")

    play(tmp_path, scene, resources(LinkedSource("openalex")))
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert {one.paper.title for one in shelf.shelf(store)} == {SEED.title, OTHERS[1].title}


def test_marks_span_the_list_and_what_is_done_takes_them_all(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("r")
        await hand.until(lambda: bool(links(hand)))
        await hand.press("space", "j", "space", "s")
        await hand.until(lambda: "Saved 2 papers" in hand.told)

    play(tmp_path, scene, resources(LinkedSource("openalex")))
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert {one.paper.title for one in shelf.shelf(store)} == {OTHERS[0].title, OTHERS[2].title}


def test_the_reading_history_keeps_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_actions, "VIEWED_SECONDS", 0.05)
    opened: list[str] = []
    monkeypatch.setattr("spar_tui.browser.open_url", lambda address, *_, **__: opened.append(address))

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.until(lambda: bool(done(tmp_path)))
        await hand.press("o")
        await hand.until(lambda: len(done(tmp_path)) == 2)
        for key in ("s", "m", "minus", "u"):
            await hand.press(key)
        await hand.press("y", "k")
        await hand.until(lambda: bool(hand.app.clipboard))

    play(tmp_path, scene, resources())
    assert opened == ["https://doi.org/10.1000/seed"]
    kept = ["viewed", "opened", "saved", "liked", "disliked", "read", "cited"]
    assert done(tmp_path) == [(act, SEED.title) for act in kept]


@pytest.mark.parametrize(("script", "opens"), [("exit 0", True), ("exit 3", False), (None, False)])
def test_a_page_counts_as_opened_only_when_a_browser_has_taken_it(
    script: str | None, opens: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "browse"
    program.write_text(f"#!/bin/sh\n{script}\n" if script else "no program")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("o")
        await hand.until_shown("Opened https://doi.org" if opens else "browse")
        assert ("Opened" in hand.told) is opens

    play(tmp_path, scene, resources())
    assert [act for act, _ in done(tmp_path) if act == "opened"] == ["opened"] * opens


def test_an_opinion_said_twice_is_taken_back_even_in_another_sitting(tmp_path: Path) -> None:
    """The reading history tells of it, so that what learns from it does not take it for feedback still given."""

    def saying(answer: str) -> Scene:
        async def scene(hand: Hand) -> None:
            hand.app.open_paper(SEED)
            await hand.press("m")
            await hand.until(lambda: answer in hand.told)

        return scene

    play(tmp_path, saying("Liked: more like this."), resources())
    play(tmp_path, saying("Rating removed."), resources())
    # Where it took long, the paper was looked at as well.
    assert [(act, title) for act, title in done(tmp_path) if act != "viewed"] == [
        ("liked", SEED.title),
        ("unrated", SEED.title),
    ]


@contextmanager
def nothing() -> Iterator[None]:
    yield


def editor(home: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `script` the person's editor; `$1` is the file."""
    program = home / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"'{program}' -w")


def test_a_note_is_written_in_the_persons_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, 'echo "- good: \x1b[31m[/]" >> "$2"', monkeypatch)

    async def scene(hand: Hand) -> None:
        monkeypatch.setattr(hand.app, "suspend", nothing)
        await on_seed(hand)
        await hand.press("e")
        await hand.until_shown("- good: [31m[/]")
        assert "saved to the shelf" in hand.told
        await hand.press("e")
        await hand.until(lambda: hand.text.count("- good") == 2)
        harmless(hand)

    play(tmp_path, scene, resources())


LIMIT = 0.5
"""Seconds that a request may take."""


def test_no_request_times_out_by_the_time_in_an_editor(tmp_path: Path) -> None:
    """The clock of the event loop, by which requests time out, stands while the editor has the terminal."""

    async def scene(hand: Hand) -> None:
        async with asyncio.timeout(LIMIT):
            with hand.app.clock_stopped():
                time.sleep(2 * LIMIT)
            await asyncio.sleep(0)  # a limit that is over would cancel this
            await asyncio.sleep(0)

    play(tmp_path, scene, resources())


def test_an_editor_that_fails_or_is_missing_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, 'echo gone > "$2"; exit 1', monkeypatch)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.set_note(store, shelf.save(store, [SEED])[0], "As it was.")

    async def scene(hand: Hand) -> None:
        monkeypatch.setattr(hand.app, "suspend", nothing)
        await on_seed(hand)
        await hand.press("e")
        await hand.until_shown("As it was.")
        monkeypatch.setenv("EDITOR", "no-such-editor-anywhere")
        await hand.press("e")
        await hand.until(lambda: "is not installed" in hand.told)
        await hand.until_shown("As it was.")

    play(tmp_path, scene, resources())


def test_hostile_papers_are_only_text_on_their_screen_and_in_their_lists(tmp_path: Path) -> None:
    hostile = [raw(number, text) for number, text in enumerate(HOSTILE)]

    async def scene(hand: Hand) -> None:
        hand.app.open_paper(
            replace(hostile[4], preprint=Version(HOSTILE[7], HOSTILE[2]), published=Version(HOSTILE[1]))
        )
        await hand.settled()
        harmless(hand)
        await hand.press("r")
        await hand.until(lambda: len(links(hand)) > 8)
        harmless(hand)
        for _ in range(3):
            await hand.press("j", "enter")
            harmless(hand)
            await hand.press("y", "d")
            harmless(hand)
            await hand.press("r")
            await hand.until(lambda: bool(links(hand)))

    play(tmp_path, scene, resources(ScriptedSource("openalex", hostile)))


# What is known without asking


async def in_search(hand: Hand, *more: Event, found: Sequence[Paper] = SPARSE) -> None:
    """The first paper of a finished search, on its own screen."""
    live = Runner.begun(SEARCH, hand.app.store, "sparse retrieval", SearchOptions())
    await show(hand, live, events_of(found, *more), over=True)
    await hand.press("enter", "enter")
    await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))


def lit(hand: Hand) -> str:
    """What is shown in the color of evidence, on the page."""
    style = hand.app.screen.query_one(PaperPage).query_one(Static).visual
    assert isinstance(style, Content)
    return " ".join(style.plain[span.start : span.end] for span in style.spans if span.style == EVIDENCE)


def test_the_judges_quote_is_marked_in_the_abstract(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await in_search(hand, PaperJudged(WorkId(0), 0.9, "On it.", "sparse retrieval of passages", "model"))
        await hand.until_shown("Abstract")
        assert lit(hand) == "sparse retrieval of passages"

    play(tmp_path, scene, resources())


def test_a_quote_that_does_not_stand_in_the_abstract_marks_nothing(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await in_search(hand, PaperJudged(WorkId(0), 0.9, "On it.", "words of nobody", "model"))
        await hand.until_shown("Abstract")
        assert lit(hand) == ""

    play(tmp_path, scene, resources())


def test_links_that_the_library_knows_are_listed_at_once_with_their_scores_and_nobody_is_asked(tmp_path: Path) -> None:
    source = LinkedSource("openalex")

    async def scene(hand: Hand) -> None:
        papers.link(hand.app.store, [SPARSE[0]], [OTHERS[1], SPARSE[2]])
        papers.link(hand.app.store, [SPARSE[3]], [SPARSE[0]])
        judged = (PaperJudged(WorkId(0), 0.95, by="model"), PaperJudged(WorkId(2), 0.87, by="model"))
        await in_search(hand, *judged)
        await hand.until(lambda: set(links(hand)) == {OTHERS[1].title, SPARSE[2].title, SPARSE[3].title})
        await hand.until_shown("Known here: 2 references, 1 citing paper")
        rows = {row.title: row for row in hand.papers.rows}
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.screen.search is not None
        ranked = hand.app.screen.search.state.ranked(WorkId(2))
        assert ranked is not None
        assert (rows[SPARSE[2].title].score, rows[OTHERS[1].title].score) == (ranked.score, None)
        assert links(hand) == [SPARSE[2].title, OTHERS[1].title, SPARSE[3].title]  # the judged before the others
        assert [row.title for row in hand.papers.rows if row.rule == "Cited by"] == [SPARSE[3].title]
        await hand.until_shown("From your library.")
        await hand.press("enter", "j")
        assert hand.app.screen.query_one(PaperList).has_focus

    play(tmp_path, scene, resources(source))
    assert source.asked == []


def test_a_missing_abstract_is_asked_for_shown_and_kept(tmp_path: Path) -> None:
    bare, whole = paper("A bare paper", "10.1000/bare"), paper("A bare paper", "10.1000/bare", abstract="It grows.")

    async def scene(hand: Hand) -> None:
        hand.app.open_paper(bare)
        await hand.until_shown("No abstract available.")
        await hand.press("b")
        await hand.until(lambda: "The abstract came from pubmed." in hand.told)
        await hand.until_shown("It grows.")
        await hand.press("escape")
        hand.app.open_paper(bare)
        await hand.until_shown("It grows.")

    play(tmp_path, scene, resources(ScriptedSource("pubmed", known=[whole])))


def test_where_no_abstract_comes_each_source_is_named_with_its_reason(tmp_path: Path) -> None:
    broken = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "did not answer."))

    async def scene(hand: Hand) -> None:
        hand.app.open_paper(paper("A bare paper", "10.1000/bare"))
        await hand.until_shown("No abstract available.")
        await hand.press("b")
        await hand.until(lambda: "pubmed does not have the paper; arxiv failed (did not answer)." in hand.told)

    play(tmp_path, scene, resources(ScriptedSource("pubmed"), broken))


def test_what_the_person_said_of_a_paper_is_shown_also_of_one_that_is_not_saved(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.press("m")
        await hand.until_shown("You said")
        await hand.until_shown("More like this.")
        await hand.press("m")
        await hand.until(lambda: "You said" not in hand.text)

    play(tmp_path, scene, resources())


def test_beside_the_persons_judgement_stands_that_of_the_judge(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        judged = PaperJudged(WorkId(0), 0.3, "Only near it.", "", "built-in")
        await in_search(hand, judged, PaperJudged(WorkId(0), 1.0, by="person"))
        await hand.until_shown("judged by you")
        await hand.until_shown("0.30 judged by built-in rules: Only near it.")

    play(tmp_path, scene, resources())


def test_the_paper_screen_works_at_every_size_and_shows_the_title_once(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        for size in ((150, 36), (110, 30), (80, 24)):
            await hand.resize(*size)
            await hand.until(lambda: hand.text.count(SEED.title) == 1)
        await hand.press("r")
        await hand.until(lambda: bool(links(hand)) and hand.text.count(SEED.title) == 1)
        await hand.press("escape")
        for size in ((150, 36), (110, 30), (80, 24), (40, 10), (12, 3), (110, 30)):
            await hand.resize(*size)
            await hand.press("r")
            await hand.until(lambda: bool(links(hand)))
            harmless(hand)
            await hand.press("j", "escape")
            harmless(hand)
            if size[0] >= 40:
                await hand.until_shown("A seed paper")

    play(tmp_path, scene, resources(LinkedSource("openalex")))


def test_resources_that_cannot_be_opened_are_said_and_crash_nothing(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.open_paper(paper("A bare paper", "10.1000/bare"))
        await hand.press("b")
        await hand.until(lambda: "The model's key is missing" in hand.told)
        await hand.press("r")
        await hand.until_shown("The model's key is missing")

    play(tmp_path, scene, Failure("The model's key is missing."))


def test_on_a_small_terminal_the_references_that_were_asked_for_are_shown(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        search = await hand.ask()
        await hand.until(lambda: search.status == "finished")
        await hand.press("r")
        await hand.until(lambda: OTHERS[0].title in hand.text)
        await hand.press("enter")
        assert about(hand) == OTHERS[0].title
        await hand.press("escape", "escape")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources(LinkedSource("openalex", SPARSE)), (80, 24))
