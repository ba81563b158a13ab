"""Verdicts on the entries of a bibliography: nothing is called wrong that could not be verified."""

from dataclasses import replace
from datetime import date

from agents.lookup.records import RecordLookup
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Author, Imprint, Paper, Version
from connectors.records.build import UNTITLED
from spar_tui.bibliography.checking import EntryFinding, findings
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
from spar_tui.bibliography.reading.files import found_in
from tests.rows import each


def name(text: str) -> Identifier:
    found = parse_identifier(text)
    assert found
    return found


DOI, ARXIV = name("10.1000/engines"), name("arxiv:2001.00001")
PAPER = Paper(
    "Notes on the Analytical Engine",
    authors=(Author("Lovelace", "Ada"),),
    date="1843",
    venue="Taylor's Memoirs",
    type="article",
    identifiers=(DOI,),
)
PREPRINT = replace(PAPER, identifiers=(ARXIV,), venue="arXiv", type="preprint", date="1842-06")


def entry(paper: Paper = PAPER, line: int = 1, key: str = "lovelace") -> FoundEntry:
    return FoundEntry(line, key, paper)


def checked(paper: Paper, said: RecordLookup) -> EntryFinding:
    (found,) = findings(FileEntries((entry(paper),)), [said])
    return found


def known(record: Paper = PAPER) -> RecordLookup:
    return RecordLookup(by_name={"openalex": record})


def test_an_entry_that_agrees_with_a_source_is_ok() -> None:
    assert checked(PAPER, known()).verdict == "ok"


def test_capitals_accents_and_subtitles_in_a_title_are_no_difference() -> None:
    written = replace(PAPER, title="NOTES ON THE ANALYTICAL ENGINE: With Rémarks")
    assert checked(written, known()).verdict == "ok"


@each(
    ("paper", "said"),
    [
        (replace(PAPER, date="1900"), "the year is 1843, not 1900 (OpenAlex, https://doi.org/10.1000/engines)"),
        (replace(PAPER, authors=(Author("Babbage", "Charles"),)), "the authors are Ada Lovelace"),
        (replace(PAPER, title="Fish of the Northern Rivers"), "another paper"),
    ],
)
def test_a_field_that_every_source_contradicts_is_named(paper: Paper, said: str) -> None:
    found = checked(paper, known())
    assert found.verdict == "fields differ"
    assert said.lower() in found.details[0].lower()


def test_a_field_in_which_one_source_agrees_is_no_difference() -> None:
    wrong = replace(PAPER, date="1850")
    assert checked(PAPER, RecordLookup(by_name={"openalex": PAPER, "semanticscholar": wrong})).verdict == "ok"


def test_each_year_in_which_a_version_appeared_may_be_cited() -> None:
    record = replace(
        PAPER, date="1843", preprint=Version("arXiv", "1841"), published=Version("Memoirs", "1843", "10.1/x")
    )
    assert checked(replace(PAPER, date="1841"), known(record)).verdict == "ok"


def test_a_retracted_paper_is_the_worst_of_all() -> None:
    assert checked(replace(PAPER, date="1900"), known(replace(PAPER, retracted=True))).verdict == "retracted"


def test_a_retraction_is_proven_by_its_notice_where_a_source_names_one() -> None:
    bare, proven = replace(PAPER, retracted=True), replace(PAPER, retracted=True, retraction_notice="10.1000/notice")
    assert checked(PAPER, known(bare)).details == ("The paper was retracted.",)
    assert checked(PAPER, known(proven)).details == ("The paper was retracted (notice: doi:10.1000/notice).",)
    both = RecordLookup(by_name={"openalex": bare, "crossref": proven})
    assert checked(PAPER, both).details == ("The paper was retracted (notice: doi:10.1000/notice).",)
    other = replace(PAPER, title="Fish of the Northern Rivers", retracted=True, retraction_notice="10.1000/fish")
    assert "fish" not in " ".join(checked(PAPER, RecordLookup(by_name={"a": bare, "b": other})).details)


def test_an_expression_of_concern_is_told_with_its_source_and_beside_a_wrong_field() -> None:
    worried = known(replace(PAPER, concern=True))
    sentence = (
        "Its journal has published an expression of concern about it (OpenAlex, https://doi.org/10.1000/engines)."
    )
    found = checked(PAPER, worried)
    assert (found.verdict, found.outcome, found.details) == ("expression of concern", "as described", (sentence,))
    found = checked(replace(PAPER, date="1900"), worried)
    assert (found.verdict, found.details[-1]) == ("fields differ", sentence)
    assert checked(PAPER, known(replace(PAPER, concern=True, retracted=True))).verdict == "retracted"


@each(
    ("yours", "theirs", "note"),
    [
        ("MIT Press", "The MIT Press", False),
        ("Springer-Verlag", "Springer Berlin Heidelberg", False),
        ("ACM", "Association for Computing Machinery", False),
        ("Wiley & Sons, Inc.", "John Wiley and Sons", False),
        ("Oxford University Press", "Cambridge University Press", True),
        ("Elsevier", "Wiley", True),
    ],
)
def test_another_publisher_of_a_book_is_a_note(yours: str, theirs: str, note: bool) -> None:
    book = replace(PAPER, type="book", venue="", imprint=Imprint(publisher=yours))
    found = checked(book, known(replace(book, imprint=Imprint(publisher=theirs))))
    assert found.verdict == "ok"
    assert found.notes == (
        (f"The publisher is {theirs}, not {yours} (OpenAlex, https://doi.org/10.1000/engines).",) if note else ()
    )
    article = replace(book, type="article", venue=PAPER.venue)
    assert not checked(article, known(replace(article, imprint=Imprint(publisher=theirs)))).notes


@each(
    "record",
    [
        replace(PAPER, title=f"WITHDRAWN: {PAPER.title}"),
        replace(PAPER, title=f"[Retracted] {PAPER.title}"),
        replace(PAPER, abstract="This manuscript has been withdrawn by the authors, who want it not to be cited."),
    ],
)
def test_a_paper_that_its_record_shows_as_withdrawn_is_told_with_the_source(record: Paper) -> None:
    found = checked(PAPER, known(record))
    assert (found.verdict, found.outcome) == ("retracted", "as described")
    assert found.details == ("The paper was withdrawn (OpenAlex, https://doi.org/10.1000/engines).",)


def test_a_paper_about_what_is_withdrawn_is_none_itself() -> None:
    about = replace(PAPER, title="Withdrawn drugs: a review", abstract="The drug has been withdrawn from the market.")
    assert checked(about, known(about)).verdict == "ok"


def test_the_retraction_of_another_paper_is_not_held_against_an_entry_with_a_wrong_doi() -> None:
    other = replace(PAPER, title="Fish of the Northern Rivers", retracted=True)
    assert checked(PAPER, known(other)).verdict == "fields differ"


def test_not_found_needs_two_sources_that_could_have_known_it() -> None:
    assert checked(PAPER, RecordLookup(unknown={"openalex", "semanticscholar"})).verdict == "not found"
    few = checked(PAPER, RecordLookup(unknown={"openalex", "pubmed", "arxiv"}))
    assert few.verdict == "could not check"
    assert few.details == ("Not found by arXiv, OpenAlex, PubMed; it may exist all the same.",)
    silent = RecordLookup(unknown={"openalex"}, silent={"semanticscholar": "did not answer."})
    found = checked(PAPER, silent)
    assert found.verdict == "could not check"
    assert "did not answer" in found.details[0]


def test_a_wrong_doi_of_a_known_title_is_told_with_the_right_one() -> None:
    wrong = name("10.1000/nothing")
    said = RecordLookup(by_title={"openalex": PAPER}, unknown={"semanticscholar"})
    found = checked(replace(PAPER, identifiers=(wrong,)), said)
    assert found.verdict == "fields differ"
    assert "10.1000/nothing" in found.details[0]
    assert "doi:10.1000/engines" in found.details[0]


def test_a_doi_that_no_registry_knows_is_told_though_another_identifier_leads_to_the_paper() -> None:
    record = replace(PAPER, identifiers=(DOI, name("pmid:123456")))
    wrong = replace(PAPER, identifiers=(name("10.1000/nothing"), name("pmid:123456")))
    said = RecordLookup(by_name={"pubmed": record}, unknown={"crossref"})
    found = checked(wrong, said)
    assert (found.verdict, found.differences[0].theirs) == ("fields differ", "doi:10.1000/engines")
    assert checked(wrong, RecordLookup(by_name={"pubmed": record}, silent={"crossref": "is down."})).verdict == "ok"
    posted = replace(wrong, identifiers=(name("10.48550/arXiv.2001.00001"), name("pmid:123456")))
    assert checked(posted, said).verdict == "ok"


def test_a_preprint_that_has_appeared_is_told_where() -> None:
    record = replace(
        PAPER, identifiers=(ARXIV, DOI), published=Version("Taylor's Memoirs", "1843", "10.1000/engines"),
        preprint=Version("arXiv", "1842-06"),
    )  # fmt: skip
    found = checked(PREPRINT, known(record))
    assert found.verdict == "published since"
    assert "Taylor's Memoirs, doi:10.1000/engines" in found.details[0]
    assert checked(replace(PAPER, identifiers=(DOI, ARXIV)), known(record)).verdict == "ok"


def test_a_published_version_with_a_record_of_its_own_is_proposed_with_its_doi() -> None:
    later = replace(PAPER, published=Version("Taylor's Memoirs", "1843", "10.1000/engines"))
    said = RecordLookup(by_name={"openalex": PREPRINT}, published=later)
    found = checked(PREPRINT, said)
    assert found.verdict == "published since"
    assert "doi:10.1000/engines; cite that one if it is the same" in found.details[0]


def test_two_entries_of_one_work_are_told_once_with_the_line_of_the_other() -> None:
    found = FileEntries((entry(), entry(replace(PAPER, identifiers=()), 9, "again")))
    told = findings(found, [known(), known()])
    assert [(one.line, one.verdict) for one in told] == [(1, "ok"), (9, "duplicate")]
    assert "lovelace in line 1" in told[1].details[0]


def test_the_reports_of_two_years_are_no_duplicates() -> None:
    text = "@techreport{{r{0}, title={{Annual report}}, author={{{{The Agency}}}}, institution={{It}}, year={0}}}\n"
    found = found_in("".join(map(text.format, (2019, 2020, 2020))), "refs.bib")
    told = findings(found, [known(one.paper) for one in found.entries])
    assert [one.verdict for one in told] == ["ok", "ok", "duplicate"]


FISH = replace(PAPER, title="Fish of the Northern Rivers", identifiers=())


def test_an_entry_with_the_key_of_another_is_told_once_with_all_that_is_wrong_with_it() -> None:
    found = FileEntries(
        (entry(), entry(FISH, 9, "")), (Problem(9, "lovelace", "it has the key of line 1", taken=True),)
    )
    said = known(FISH)
    assert [(one.key, one.verdict, one.details) for one in findings(found, [known(), said])] == [
        ("lovelace", "ok", ()), ("lovelace", "duplicate", ("It has the key of line 1.",)),
    ]  # fmt: skip
    nowhere = RecordLookup(unknown={"openalex", "semanticscholar"})
    last = findings(found, [known(), nowhere])[-1]
    assert (last.verdict, len(last.details)) == ("not found", 2)


def test_a_name_that_bibtex_cannot_read_is_told() -> None:
    found = found_in("@misc{a, title={T}, author={Roe, Ann, and Poe, Bob}, year=2001}", "refs.bib")
    [finding] = findings(found, [RecordLookup(by_name={"openalex": found.entries[0].paper})])
    assert finding.verdict == "incomplete"
    assert finding.details == ("BibTeX cannot read the name “Roe, Ann,”: a comma begins or ends it.",)


def test_an_entry_that_is_spoilt_in_part_is_incomplete() -> None:
    found = FileEntries((entry(),), (Problem(1, "lovelace", "it has title twice; the first is used", taken=True),))
    assert [(one.verdict, one.details) for one in findings(found, [known()])] == [
        ("incomplete", ("It has title twice; the first is used.",)),
    ]  # fmt: skip


def test_a_missing_comma_is_told_at_its_entry_with_its_line() -> None:
    text = "@book{a, author={Ray, Al},\n title={Fens}}\n@book{b,\n author={Ray, Al}\n title={Reeds},\n year=1999}\n"
    found = found_in(text, "a.bib")
    by_title = (RecordLookup(by_title={"openalex": entry.paper}) for entry in found.entries)
    told = {one.key: (one.line, one.details) for one in findings(found, list(by_title))}
    assert told["b"] == (3, ("Line 4: a comma is missing after its author; BibTeX stops there.",))
    assert "comma" not in str(told["a"])


@each(
    ("paper", "missing"),
    [
        (replace(PAPER, authors=()), "author"),
        (replace(PAPER, date=None), "year"),
        (replace(PAPER, venue=""), "journal"),
    ],
)
def test_what_an_entry_lacks_is_named(paper: Paper, missing: str) -> None:
    found = checked(paper, known())
    assert found.verdict == "incomplete"
    assert missing in found.details[0]


@each("date", ["198X", "15XX", "1823-XX", "1823-04-XX", "../1786", "17XX/1840"])
def test_a_date_with_unspecified_digits_is_a_date_in_every_format(date: str) -> None:
    files = {
        "a.bib": f"@book{{k, author = {{Roe, Ann}}, title = {{Reeds}}, date = {{{date}}}}}",
        "a.json": f'[{{"id": "k", "type": "book", "author": [{{"family": "Roe", "given": "Ann"}}],'
        f' "title": "Reeds", "issued": {{"raw": "{date}"}}}}]',
        "a.ris": f"TY  - BOOK\nID  - k\nAU  - Roe, Ann\nTI  - Reeds\nPY  - {date}\nER  - \n",
    }
    for name, text in files.items():
        found = found_in(text, name)
        [finding] = findings(found, [RecordLookup()])
        assert (name, found.problems, finding.verdict) == (name, (), "could not check")


def test_an_entry_that_cannot_be_read_is_a_finding_with_its_line() -> None:
    (found,) = findings(FileEntries((), (Problem(7, "x", "a brace is not closed"),)), [])
    assert (found.line, found.verdict, found.details) == (7, "unreadable", ("A brace is not closed.",))


NOBODY_KNOWS_IT = RecordLookup(unknown={"openalex", "semanticscholar"})


def judged(text: str, said: RecordLookup = NOBODY_KNOWS_IT) -> EntryFinding:
    """The verdict on the one entry of a file."""
    (one,) = found_in(text, "refs").entries
    return findings(FileEntries((one,)), [said])[0]


NO_PAPERS = {
    "@online{x, title={How to fly a kite in the wind}, url={https://kites.org/how}}": "A web page",
    "@misc{x, title={How to fly a kite}, author={A, B}, year=2020, url={https://kites.org}}": "A web page",
    "@misc{x, title={PyTorch}, howpublished={\\url{https://pytorch.org}}}": "A web page",
    "@misc{x, title={PyTorch}, note={Available at https://pytorch.org, accessed 2020}}": "A web page",
    "@patent{x, title={A kite}, author={A, B}, number={US 1}, year=2001}": "A patent",
    "@misc{x, title={A kite}, author={A, B}, year=2001, note={US Patent 6,285,999}}": "A patent",
    "@misc{x, title={A kite}, author={A, B}, year=2001, publisher={Google Patents}}": "A patent",
    "@standard{x, title={Kites - Safety requirements}, organization={ISO}, year=2001}": "A standard",
    "@legislation{x, title={Kites Act}}": "A law or bill",
    "@jurisdiction{x, title={Kite v. Tree}}": "A court case",
    "@Software{x, title={kitefly}, version={1.0}, doi={10.5281/zenodo.1234}}": "Software or hardware",
    "@manual{x, title={The Kite Manual}, organization={Kites Inc.}}": "A manual",
    "@phdthesis{x, title={On kites and their strings}, author={A, B}, school={Kite College}, year=1990}": "A thesis",
    "TY  - RPRT\nTI  - On kites and strings\nAU  - A, B\nPY  - 1990\nER  - \n": "A report",
    "@unpublished{x, title={Thoughts on kites and their strings}, author={A, B}}": "An unpublished work",
    "TY  - PAT\nTI  - A kite\nPY  - 2001\nER  - \n": "A patent",
    "TY  - ELEC\nTI  - Kites\nUR  - https://kites.org\nER  - \n": "A web page",
    "TY  - CASE\nTI  - Kite v. Tree\nER  - \n": "A court case",
    "TY  - HEAR\nTI  - Kite and tree\nER  - \n": "A hearing",
    "@misc{x, title={Kite and tree}, entrysubtype={hearing}}": "A hearing",
    "TY  - BLOG\nTI  - Kites\nUR  - http://kites.org\nER  - \n": "A web page",
    '[{"id": "x", "type": "bill", "title": "A bill about kites and strings"}]': "A law or bill",
    '[{"id": "x", "type": "legal_case", "title": "Kite v. Tree"}]': "A court case",
    '[{"id": "x", "type": "patent", "title": "A kite"}]': "A patent",
    '[{"id": "x", "type": "webpage", "title": "Kites", "URL": "https://kites.org"}]': "A web page",
}


@each("text", NO_PAPERS)
def test_what_sources_of_papers_do_not_list_is_never_called_not_found(text: str) -> None:
    found = judged(text)
    assert found.verdict == "could not check", found
    assert found.details == (f"{NO_PAPERS[text]} cannot be looked up: the sources list only papers.",)
    assert judged(text, RecordLookup()).details == found.details


@each(
    "text",
    [
        "@online{x, title={A preprint that is not}, author={A, B}, year=2020, eprint={2001.99999}, eprinttype={arxiv}}",
        "@misc{x, title={A preprint that is not}, author={A, B}, year=2020, eprint={2001.99999}, url={https://x.org}}",
        "@misc{x, title={A paper that is not}, author={A, B}, year=2020, doi={10.1000/nothing}}",
        "@misc{x, title={A paper that is not there}, author={A, B}, year=2020}",
        "@article{x, title={A paper that is not}, author={A, B}, year=2020, url={https://x.org}, journal={J}}",
        "@unpublished{x, title={A draft that is not}, author={A, B}, note={arXiv:2001.99999}, year=2020}",
    ],
)
def test_a_paper_that_nobody_knows_is_not_found_whatever_it_is_filed_as(text: str) -> None:
    assert judged(text).verdict == "not found"


def test_a_paper_with_the_title_of_a_web_page_is_not_held_against_it() -> None:
    page = "@online{x, title={Notes on the Analytical Engine}, author={Fan, A.}, year=2020, url={https://x.org}}"
    assert (
        judged(page, RecordLookup(by_title={"openalex": replace(PAPER, retracted=True)})).verdict == "could not check"
    )
    same = "@misc{x, title={Notes on the Analytical Engine}, author={Lovelace, A.}, year=1843, url={https://x.org}}"
    assert judged(same, RecordLookup(by_title={"openalex": PAPER})).verdict == "ok"
    assert judged(same, RecordLookup(by_title={"openalex": replace(PAPER, retracted=True)})).verdict == "retracted"


@each(
    ("address", "fault"),
    [
        ("kites.org/how", "does not begin with http"),
        ("http://", "has no host name"),
        ("https:///how", "has no host name"),
        ("https://kites/how", "has no host name"),
        ("https://kites.org/how to fly", "a space"),
        ("http://[kites", "cannot be read"),
        ("https://kites.org:port/", "cannot be read"),
    ],
)
def test_an_address_that_leads_nowhere_by_its_form_is_incomplete(address: str, fault: str) -> None:
    found = judged(f"@online{{x, title={{How to fly a kite}}, url={{{address}}}}}")
    assert found.verdict == "incomplete"
    assert fault in found.details[0]
    assert address in found.details[0]


@each(
    "address",
    ["https://kites.org", "http://www.kites.org:8080/a_b?c=d&e=%20#f", "HTTPS://KITES.ORG/", "http://127.0.0.1/x",
     "http://[::1]/x", "ftp://kites.org/pub", "https://кайт.рф/как", "https://en.wikipedia.org/wiki/Kite_(toy)"],
)  # fmt: skip
def test_a_whole_address_is_nothing_to_complain_of(address: str) -> None:
    assert judged(f"@online{{x, title={{How to fly a kite}}, url={{{address}}}}}").verdict == "could not check"


def test_a_web_page_without_an_address_is_incomplete_and_needs_no_author_or_year() -> None:
    assert judged("@online{x, title={How to fly a kite}}").details == ("It has no address.",)


def test_an_entry_without_a_title_is_incomplete_and_the_twin_of_no_other() -> None:
    nameless = replace(PAPER, title=UNTITLED, identifiers=())
    found = FileEntries((entry(nameless), entry(nameless, 5, "second")))
    told = findings(found, [RecordLookup(), RecordLookup()])
    assert [(one.verdict, one.details) for one in told] == [("incomplete", ("It has no title.",))] * 2


def test_a_record_is_not_another_paper_because_the_entry_has_no_title() -> None:
    found = checked(replace(PAPER, title=UNTITLED), known())
    assert (found.verdict, found.details) == ("incomplete", ("It has no title.",))


def test_what_is_told_by_a_few_words_only_is_not_called_not_found() -> None:
    book = replace(PAPER, title="Introduction to Engines", authors=(), identifiers=(), type="book")
    edited = replace(book, imprint=replace(PAPER.imprint, editors=PAPER.authors))
    assert checked(edited, NOBODY_KNOWS_IT).verdict == "could not check"
    assert checked(replace(edited, title="An Introduction to Engines and Their Makers"), NOBODY_KNOWS_IT).verdict == (
        "not found"
    )


TWINS = (
    "@article{{{key}, author={{Lee, Ann}}, title={{Sparse retrieval of long passages}}, journal={{J}}, year=2019,"
    " {more}}}"
)


def doubles(first: str, second: str) -> list[tuple[str, str]]:
    """The verdict on the second of two entries that share title, author and year, and its first sentence."""
    text = TWINS.format(key="a", more=first) + "\n" + TWINS.format(key="b", more=second)
    found = found_in(text, "refs.bib")
    told = findings(found, [known(one.paper) for one in found.entries])
    return [(finding.verdict, finding.details[0]) for finding in told[1:] if finding.verdict == "duplicate"]


def test_what_an_import_would_join_is_called_the_same_work() -> None:
    assert doubles("volume=3", "pages={1--9}") == [("duplicate", "It is the same work as a in line 1.")]


def test_two_works_in_different_places_in_print_are_no_doubles() -> None:
    assert doubles("volume=3, pages={1--9}", "volume=4, pages={20--31}") == []


def test_a_preprint_and_its_paper_without_a_shared_identifier_are_doubles() -> None:
    entry = "@{kind}{{{key}, author={{Lee, Ann}}, title={{Sparse retrieval of long passages}}, year={year}}}\n"
    text = entry.format(kind="misc", key="a", year=2019) + entry.format(kind="inproceedings", key="b", year=2020)
    found = found_in(text, "refs.bib")
    second = findings(found, [known(one.paper) for one in found.entries])[1]
    assert second.verdict == "duplicate"
    assert second.details[0] == "It looks like the same work as a in line 1, but they differ in year and type."


def test_one_doi_in_two_places_in_print_is_told_with_what_differs() -> None:
    doi = "doi={10.1000/x}, volume="
    assert doubles(f"{doi}3", f"{doi}4") == [
        ("duplicate", "It looks like the same work as a in line 1, but they differ in volume."),
    ]  # fmt: skip


@each(
    ("paper", "field", "theirs"),
    [
        (replace(PAPER, authors=(*PAPER.authors, Author("Byron", "George"))), "author", "Ada Lovelace"),
        (replace(PAPER, venue="Journal of Steam and Optimization"), "venue", "Taylor's Memoirs"),
        (replace(PAPER, title="Notes on the Difference Engine"), "title", "Notes on the Analytical Engine"),
        (replace(PAPER, imprint=replace(PAPER.imprint, volume="4")), "volume", "3"),
        (replace(PAPER, imprint=replace(PAPER.imprint, pages="12-40")), "pages", "666-731"),
    ],
    ids=["author", "venue", "title", "volume", "pages"],
)
def test_each_field_is_compared(paper: Paper, field: str, theirs: str) -> None:
    record = replace(PAPER, imprint=replace(PAPER.imprint, volume="3", pages="666-731"))
    found = checked(paper, known(record))
    assert (found.verdict, found.outcome) == ("fields differ", "described wrongly")
    [difference] = found.differences
    assert (difference.field, difference.theirs, difference.source) == (field, theirs, "OpenAlex")
    assert difference.link == "https://doi.org/10.1000/engines"


@each("other", [{"date": "1843"}, {"venue": "Journal of Steam"}, {"authors": (Author("X", "Y"),)}])
def test_one_record_that_agrees_is_enough(other: dict[str, object]) -> None:
    wrong = replace(PAPER, **other)  # type: ignore[arg-type]
    assert checked(PAPER, RecordLookup(by_name={"openalex": PAPER, "semanticscholar": wrong})).verdict == "ok"


def test_a_preprint_that_is_cited_at_a_venue_is_noted_and_no_fault() -> None:
    cited = replace(PAPER, venue="Proceedings of the Royal Society", date="1844")
    found = checked(replace(cited, identifiers=(ARXIV,)), known(PREPRINT))
    assert (found.verdict, found.outcome) == ("ok", "as described")
    [note] = found.differences
    assert (note.field, note.grave) == ("venue", "note")
    assert "No record shows that it appeared in Proceedings of the Royal Society" in found.notes[0]


def test_a_venue_that_one_source_names_counts_more_than_the_preprint_of_another() -> None:
    lookup = RecordLookup(by_name={"openalex": PAPER, "arxiv": PREPRINT})
    assert checked(replace(PAPER, venue="Journal of Steam and Optimization"), lookup).verdict == "fields differ"


def test_the_type_of_a_work_is_what_any_source_tells() -> None:
    record = replace(PAPER, imprint=replace(PAPER.imprint, volume="3"))
    lookup = RecordLookup(by_name={"openalex": record, "semanticscholar": replace(record, type="other")})
    assert checked(replace(PAPER, imprint=replace(PAPER.imprint, volume="4")), lookup).verdict == "fields differ"


def test_a_year_that_is_yet_to_come_is_told_without_any_source() -> None:
    (one,) = found_in("@article{x, title={T}, author={A, B}, journal={J}, year={2093}}", "refs.bib").entries
    [found] = findings(FileEntries((one,)), [RecordLookup()], date(2026, 1, 1))
    detail = "The year 2093 is in the future by the Gregorian calendar."
    assert (found.verdict, found.details) == ("fields differ", (detail,))
    (one,) = found_in("@article{x, title={T}, author={A, B}, journal={J}, year={2027}}", "refs.bib").entries
    assert findings(FileEntries((one,)), [RecordLookup()], date(2026, 1, 1))[0].verdict == "could not check"


TEN = tuple(entry(PAPER, line, f"k{line}") for line in range(10))


def of_ten(missed: int) -> list[RecordLookup]:
    """What was said of ten works that Crossref has, of which each source of all fields misses some."""
    whole = RecordLookup(by_name={"crossref": PAPER, "openalex": PAPER, "semanticscholar": PAPER})
    absent = RecordLookup(by_name={"crossref": PAPER}, unknown={"openalex", "semanticscholar"})
    return [absent] * missed + [whole] * (10 - missed)


def test_what_no_source_knows_is_not_called_invented_where_the_sources_miss_much() -> None:
    entries = FileEntries((*TEN, entry(FISH, 11, "fish")))
    told = [findings(entries, [*of_ten(missed), NOBODY_KNOWS_IT])[-1] for missed in (0, 4)]
    assert [one.verdict for one in told] == ["not found", "could not check"]
    assert "these sources lack about" in told[1].details[0]
    assert told[1].outcome == "cannot tell"


def test_a_similar_title_by_the_same_people_may_be_another_work_where_the_sources_miss_much() -> None:
    later = replace(PAPER, title="Notes on the Difference Engine")
    like = RecordLookup(by_title={"openalex": PAPER}, unknown={"semanticscholar"})
    entries = FileEntries((*TEN, entry(replace(later, identifiers=()), 11, "later")))
    told = [findings(entries, [*of_ten(missed), like])[-1] for missed in (0, 4)]
    assert [one.verdict for one in told] == ["fields differ", "could not check"]


def test_the_nearest_record_of_what_is_not_found_is_told_with_what_differs() -> None:
    near = RecordLookup(unknown={"openalex", "semanticscholar"}, nearest=("openalex", PAPER))
    found = checked(FISH, near)
    assert found.nearest
    assert (found.nearest.title, found.nearest.source, found.nearest.differs_in) == (
        PAPER.title,
        "OpenAlex",
        ("title",),
    )
    assert found.asked == {"OpenAlex": "does not know it", "Semantic Scholar": "does not know it"}
    assert "The nearest record is “Notes on the Analytical Engine” by Ada Lovelace" in found.details[1]


def test_the_prefaces_of_two_books_are_no_doubles() -> None:
    book = "@incollection{{{key}, author={{Roe, A.}}, title={{Preface}}, booktitle={{{title}}}, year=1999}}\n"
    for title, verdicts in (("Mud in the Fens", 0), ("A Reeds of the North", 1)):
        text = book.format(key="a", title="Reeds of the North") + book.format(key="b", title=title)
        found = found_in(text, "refs.bib")
        told = findings(found, [RecordLookup()] * 2)
        assert sum(finding.verdict == "duplicate" for finding in told) == verdicts


def test_everything_that_is_wrong_with_how_an_entry_is_written_is_told() -> None:
    found = found_in("@article{a, title={Fens}, journal={J}, journal=nobody, year=1999}", "refs.bib")
    (told,) = findings(found, [RecordLookup()])
    assert "journal twice; the first is used; the file does not define" in told.details[-1]
    assert told.details[-1].endswith(": nobody.")
