"""What sources know of papers that a bibliography names: identifiers first, then titles, and few requests."""

import asyncio
from dataclasses import replace
from typing import Any

from agents.lookup.records import RecordLookup, look_up_records
from connectors.capability import Capability
from connectors.errors import SourceUnavailable
from connectors.paper import Paper
from connectors.records.build import UNTITLED
from tests.agents.scripted import ScriptedSource, paper
from tests.rows import each

TITLE = "Notes on the Analytical Engine of Mr Babbage"
PREPRINT = paper(TITLE, "arxiv:2001.00001", type="preprint", date="2020-01", venue="arXiv")


def appeared(title: str = TITLE, doi: str = "10.1000/engine", **more: Any) -> Paper:
    return paper(title, doi, **{"date": "2022", "venue": "Memoirs", **more})


def asked(papers: list[Paper], *sources: ScriptedSource) -> list[RecordLookup]:
    return asyncio.run(look_up_records(papers, {source.name: source for source in sources}))


def test_a_preprint_known_by_its_id_is_looked_for_by_its_title_once_at_a_source() -> None:
    openalex = ScriptedSource("openalex", papers=[PREPRINT, appeared()], known=[PREPRINT])
    arxiv = ScriptedSource("arxiv", papers=[PREPRINT], known=[PREPRINT], schemes=("arxiv",))
    [said] = asked([PREPRINT], openalex, arxiv)
    assert said.published == appeared()
    assert (set(said.by_name), said.by_title, said.unknown) == ({"openalex", "arxiv"}, {}, set())
    assert [query.text for query in openalex.asked] == [TITLE]
    assert arxiv.asked == []


@each(
    ("entry", "known"),
    [(appeared(), appeared()), (PREPRINT, paper(TITLE, "arxiv:2001.00001", "10.1000/engine", venue="Memoirs"))],
    ids=["cited as published", "told by the record"],
)
def test_no_title_is_searched_for_where_all_is_known(entry: Paper, known: Paper) -> None:
    openalex = ScriptedSource("openalex", papers=[appeared()], known=[known])
    [said] = asked([entry], openalex)
    assert said.published is None
    assert openalex.asked == []


def registry(*known: Paper, **more: Any) -> ScriptedSource:
    last = frozenset({Capability.LAST_LOOKUP})
    return ScriptedSource("datacite", known=known, schemes=("doi",), capabilities=last, **more)


def registered(papers: list[Paper], source: ScriptedSource, at: ScriptedSource) -> list[RecordLookup]:
    return asyncio.run(look_up_records(papers, {source.name: source}, registries={at.name: at}))


def test_only_what_no_source_knows_by_its_name_is_looked_up_at_a_registry() -> None:
    data = paper("Counts of harbor seals along the coast", "10.5061/seals", type="dataset")
    nobodys, unnamed = paper("Of nobody at all, in five words", "10.5061/nobodys"), paper("A title and no name")
    openalex, datacite = ScriptedSource("openalex", known=[appeared()]), registry(data)
    said = registered([appeared(), data, nobodys, unnamed], openalex, datacite)
    assert [set(one.by_name) for one in said] == [{"openalex"}, {"datacite"}, set(), set()]
    assert ["datacite" in one.unknown for one in said] == [False, False, True, False]
    assert datacite.named == [data.identifiers[0], nobodys.identifiers[0]]
    assert {query.text for query in openalex.asked} == {nobodys.title, unnamed.title}, "what is registered is known"


def test_a_registry_that_fails_is_silent_of_each_and_not_asked_for_more() -> None:
    entries = [paper(f"Data set number {number}", f"10.5061/seals.{number}") for number in range(25)]
    down = registry(error=SourceUnavailable("datacite", "is down."))
    said = registered(entries, ScriptedSource("openalex"), down)
    assert {one.silent["datacite"] for one in said} == {"is down."}
    assert not any("datacite" in one.unknown for one in said)
    assert len(down.named) == 10


@each(
    "other",
    [
        appeared(author="Charles Babbage"),
        appeared("Notes on the Analytical Engine of Mr Babbage, Part 2"),
        appeared(date="2031"),
        appeared(date="2017"),
        paper(TITLE, "10.48550/arxiv.2001.00009", type="preprint", venue="arXiv"),
        paper(TITLE, venue="Memoirs"),
    ],
    ids=["another's", "another part", "much later", "earlier", "a preprint", "without a DOI"],
)
def test_what_is_not_surely_the_published_version_is_not_told(other: Paper) -> None:
    [said] = asked([PREPRINT], ScriptedSource("openalex", papers=[other], known=[PREPRINT]))
    assert said.published is None


def test_a_preprint_found_by_title_alone_is_searched_for_once_for_both() -> None:
    openalex = ScriptedSource("openalex", papers=[PREPRINT, appeared()])
    [said] = asked([PREPRINT], openalex)
    assert said.by_title == {"openalex": PREPRINT}
    assert said.published == appeared()
    assert len(openalex.asked) == 1


def test_a_source_that_fails_with_the_titles_of_known_preprints_is_left_alone_and_nothing_is_held_against_them() -> (
    None
):
    class Failing(ScriptedSource):
        async def lookup(self, names: Any) -> Any:
            return await ScriptedSource("", known=self.known).lookup(names)

    preprints = [paper(f"{TITLE}, volume {n}", f"arxiv:2001.0000{n}", type="preprint") for n in range(1, 10)]
    openalex = Failing("openalex", known=preprints, error=SourceUnavailable("openalex", "did not answer."))
    found = asked(preprints, openalex)
    assert len(openalex.asked) < len(preprints)
    assert all(lookup.by_name and not lookup.silent and not lookup.unknown for lookup in found)


def test_an_entry_without_a_title_is_looked_for_by_its_names_alone() -> None:
    openalex = ScriptedSource("openalex", papers=[paper("Untitled")], known=[])
    [said] = asked([paper(UNTITLED, "10.1000/engine")], openalex)
    assert openalex.asked == []
    assert (said.by_title, said.unknown) == ({}, {"openalex"})


def test_a_short_title_without_an_author_finds_only_a_paper_of_its_year() -> None:
    openalex = ScriptedSource("openalex", papers=[paper("Introduction", date="1999")], known=[])
    short, same_year, long = asked(
        [paper("Introduction", author="", date=date) for date in ("2001", "1999")]
        + [paper(TITLE, author="", date="2001")],
        openalex,
        ScriptedSource("crossref", papers=[paper(TITLE, date="1999")], known=[]),
    )
    assert (short.records, len(same_year.records), len(long.records)) == ([], 1, 1)


def test_a_paper_that_the_library_has_is_looked_up_by_its_identifiers_there_and_not_searched_for() -> None:
    library = ScriptedSource("library", papers=[paper("Another title", "10.1000/other"), appeared()])
    openalex = ScriptedSource("openalex", papers=[appeared()], known=[appeared()])
    [said] = asyncio.run(look_up_records([paper(TITLE, date="2022")], {"openalex": openalex}, library=library))
    assert (said.by_name, said.by_title, openalex.asked) == ({}, {"openalex": appeared()}, [])
    assert openalex.named == list(appeared().identifiers)


def test_what_the_library_alone_has_is_no_evidence() -> None:
    library = ScriptedSource("library", papers=[appeared()])
    openalex = ScriptedSource("openalex")
    [said] = asyncio.run(look_up_records([paper(TITLE, date="2022")], {"openalex": openalex}, library=library))
    assert (said.records, said.unknown) == ([], {"openalex"})
    assert len(openalex.asked) == 1


def test_a_title_is_searched_for_until_a_record_decides_and_at_no_further_source() -> None:
    openalex = ScriptedSource("openalex", papers=[appeared()])
    second = ScriptedSource("semanticscholar", papers=[appeared()])
    entries = [paper(TITLE, date="2022"), paper("A title that nobody has of anything", date="2022")]
    agreeing, unknown = asked(entries, openalex, second)
    assert set(agreeing.by_title) == {"openalex"}
    assert unknown.unknown == {"openalex", "semanticscholar"}
    assert [len(source.asked) for source in (openalex, second)] == [2, 1]


def test_a_record_that_does_not_decide_is_compared_with_one_of_a_second_source_of_all_fields() -> None:
    sources = [ScriptedSource(name, papers=[appeared()]) for name in ("openalex", "semanticscholar", "pubmed")]
    by_name = {source.name: source for source in sources}
    [said] = asyncio.run(look_up_records([paper(TITLE)], by_name, decided=lambda place, lookup: False))
    assert set(said.by_title) == {"openalex", "semanticscholar"}
    assert sources[2].asked == []


def test_of_several_results_the_record_with_the_title_and_an_author_is_taken_and_else_the_nearest_is_told() -> None:
    other = paper(f"{TITLE}, and Other Engines of the Age", "10.1000/other", author="Mary Shelley")
    openalex = ScriptedSource("openalex", papers=[other, appeared()])
    found, unknown = asked([paper(TITLE), paper(TITLE[:-8], author="Nemo Nobody")], openalex)
    assert (found.by_title, found.nearest) == ({"openalex": appeared()}, None)
    assert (unknown.by_title, unknown.nearest) == ({}, ("openalex", appeared()))


@each(("date", "meant"), [("2021", True), ("2019", False)])
def test_a_title_without_its_subtitle_is_found_by_first_author_and_year(date: str, meant: bool) -> None:
    whole = appeared(f"{TITLE}: A Report on Many Wheels, Cards and Other Parts")
    [said] = asked([paper(TITLE, date=date)], ScriptedSource("openalex", papers=[whole]))
    assert bool(said.by_title) is meant


def test_records_of_one_source_with_one_identifier_are_merged() -> None:
    notice = replace(appeared(), retracted=True)
    [said] = asked([paper(TITLE)], ScriptedSource("corpus", papers=[appeared(), notice]))
    assert said.by_title["corpus"].retracted


def test_a_source_that_does_not_answer_holds_up_no_result_of_others() -> None:
    """What one source knows is reported, and what has no identifier is searched for, while another is still asked."""
    known, unnamed = paper(TITLE, "10.1000/a", date="2022"), paper("Of nobody at all, in five words", date="2022")
    openalex = ScriptedSource("openalex", known=[known])
    hanging, told = ScriptedSource("pubmed", seconds=60.0), list[tuple[int, bool]]()

    async def watched() -> None:
        by_name = {source.name: source for source in (openalex, hanging)}
        looking = asyncio.create_task(
            look_up_records(
                [known, unnamed], by_name, done=lambda index, lookup: told.append((index, bool(lookup.records)))
            )
        )
        await asyncio.sleep(0.2)
        looking.cancel()

    asyncio.run(watched())
    assert (0, True) in told
    assert [query.text for query in openalex.asked] == [unnamed.title]
