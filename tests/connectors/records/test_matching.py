"""When two records are one paper, and what becomes of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import doi, parse_identifier, pmid
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper
from connectors.records.grouping import Works
from connectors.records.matching import same_work
from connectors.records.merging import merge
from tests.connectors.papers import merge_all, records, source_of

BAD_INPUTS = Path(__file__).parents[4] / "shared" / "faults" / "bad-inputs.json"


def paper(title: str, author: str | None = None, year: int | None = None, *names: str, **more: Any) -> Paper:
    people = [person for person in [author_from_name(author)] if person]
    return build_paper(
        more.pop("source", "openalex"),
        title=title,
        authors=people,
        date=str(year) if year else None,
        identifiers=[parse_identifier(name) for name in names],
        **more,
    )


@given(records(), records())
def test_merging_does_not_depend_on_who_answers_first(one: Paper, other: Paper) -> None:
    assert merge(one, other) == merge(other, one)


@given(records(), records(), records())
def test_merging_does_not_depend_on_how_answers_are_grouped(one: Paper, two: Paper, three: Paper) -> None:
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@given(records(), records())
def test_merging_again_changes_nothing(one: Paper, other: Paper) -> None:
    both = merge(one, other)
    assert merge(one, one) == one
    assert merge(both, one) == both


@given(records(), records())
def test_being_the_same_work_is_mutual(one: Paper, other: Paper) -> None:
    assert same_work(one, other) == same_work(other, one)


@given(st.lists(records(), max_size=7), st.randoms(use_true_random=False))
def test_the_works_found_do_not_depend_on_the_order_of_arrival(found: list[Paper], random: Any) -> None:
    shuffled = found[:]
    random.shuffle(shuffled)
    assert sorted(map(repr, merge_all(found))) == sorted(map(repr, merge_all(shuffled)))


@given(st.lists(records(), max_size=6))
def test_no_identifier_is_lost(found: list[Paper]) -> None:
    kept = {name for one in merge_all(found) for name in one.identifiers}
    assert kept == {name for found_paper in found for name in found_paper.identifiers}


@pytest.mark.parametrize(
    "spelling",
    [
        "10.1000/ABC",
        "doi:10.1000/abc",
        "DOI: 10.1000/abc",
        "https://doi.org/10.1000/abc",
        "http://dx.doi.org/10.1000/Abc",
        "doi.org/10.1000/abc.",
        "https://doi.org/10.1000%2Fabc",
    ],
)
def test_every_spelling_of_a_doi_is_one_doi(spelling: str) -> None:
    assert doi(spelling) == doi("10.1000/abc")


@pytest.mark.parametrize(
    "spelling",
    [
        "1706.03762",
        "1706.03762v5",
        "arXiv:1706.03762v1",
        "https://arxiv.org/abs/1706.03762v7",
        "https://arxiv.org/pdf/1706.03762.pdf",
        "10.48550/arXiv.1706.03762",
        "https://doi.org/10.48550/arXiv.1706.03762v2",
    ],
)
def test_every_spelling_of_an_arxiv_id_is_one_paper(spelling: str) -> None:
    assert same_work(paper("A", None, None, spelling), paper("B", None, None, "arxiv:1706.03762"))


def test_a_preprint_and_its_published_version_become_one_paper_that_keeps_both() -> None:
    preprint = paper("Deep Sets", "Manzil Zaheer", 2017, "1703.06114", venue="arXiv", source="arxiv", abstract="Sets.")
    published = paper("Deep sets", "Zaheer, M.", 2018, "10.1000/nips.1", venue="NeurIPS", type="conference-paper")
    (both,) = merge_all([preprint, published])
    assert (both.venue, both.year, both.id) == ("NeurIPS", 2018, "doi:10.1000/nips.1")
    assert both.abstract == "Sets."
    assert both.preprint is not None
    assert both.preprint.venue == "arXiv"
    assert both.published is not None
    assert both.published.doi == "10.1000/nips.1"
    assert both.identifier("arxiv") == "1703.06114"
    assert (source_of(both, "abstract"), source_of(both, "venue")) == ("arxiv", "openalex")


def test_a_longer_honest_abstract_goes_before_a_longer_cut_one() -> None:
    whole = paper("T", "A B", 2020, "10.1000/x", abstract="We study retrieval and it works.")
    cut = paper("T", "A B", 2020, "10.1000/x", abstract="We study retrieval and it works, as the experiments show…")
    assert merge(whole, cut).abstract == whole.abstract


def test_spars_note_on_a_paper_stands_beside_its_abstract_and_never_for_it() -> None:
    note = "A long description of what the paper does."
    noted = paper("T", "A B", 2020, "10.1000/x", described=note, source="starter")
    told = paper("T", "A B", 2020, "10.1000/x", abstract="Short.")
    both = merge(noted, told)
    assert (noted.abstract, noted.about) == ("", note)
    assert (both.abstract, both.described, both.about) == ("Short.", note, "Short.")
    assert (source_of(both, "abstract"), source_of(both, "described")) == ("openalex", "starter")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (paper("Editorial", "A Smith", 2020), paper("Editorial", "B Jones", 2020)),
        (paper("Editorial", "A Smith", 2020, "10.1000/a"), paper("Editorial", "A Smith", 2020, "10.1000/b")),
        (paper("Editorial"), paper("Editorial")),
        (paper("Attention and memory in models", "A B", 2015), paper("Attention and memory in models", "A B", 2018)),
        (
            paper("Advances in neural retrieval: part 1", "A B", 2020),
            paper("Advances in neural retrieval: part 2", "A B", 2020),
        ),
        (paper("Language models I", "A B", 2020, "1706.03762"), paper("Language models I", "A B", 2020, "1706.03763")),
        (paper("A", None, None, "10.0000/unknown"), paper("B", None, None, "10.0000/unknown")),
        (
            paper("Sparse attention for long documents", "Ann Lee", 2020, "10.1000/proceedings"),
            paper("Protein folding in yeast", "Bo Chen", 2020, "10.1000/proceedings"),
        ),
    ],
)
def test_two_papers_never_become_one(one: Paper, other: Paper) -> None:
    assert not same_work(one, other)
    assert len(merge_all([one, other])) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            paper("Attention Is All You Need", "Ashish Vaswani", 2017),
            paper("Attention is all you need.", "A Vaswani", 2018),
        ),
        (paper("Über die Quanten", "Jürgen Müller", 1926), paper("Uber die Quanten", "Muller, J.", 1926)),
        (
            paper("On $\\alpha$-stable retrieval models", "A B", 2020),
            paper("On α-stable retrieval models", "A B", 2020),
        ),
        (
            paper("Retrieval for patient care", "J. van der Berg", 2020),
            paper("Retrieval for patient care", "Berg, J", 2020),
        ),
    ],
)
def test_one_paper_told_twice_becomes_one(one: Paper, other: Paper) -> None:
    assert same_work(one, other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"source": "import"}, {"source": "import"}, False),
        ({"source": "import", "type": "report"}, {"source": "import", "type": "article"}, True),
        ({"source": "import"}, {"source": "google"}, True),
        ({"source": "google"}, {"source": "google"}, True),
    ],
    ids=["two entries", "entries of two kinds", "an entry and a source's record", "two records of a source"],
)
def test_only_two_entries_of_one_kind_are_told_apart_by_one_year(
    one: dict[str, str], other: dict[str, str], same: bool
) -> None:
    """A person who lists the reports of two years means it; sources differ by a year of one work."""
    reports = [
        paper("Annual report", "The Agency", year, **{"type": "report", **more})
        for year, more in ((2019, one), (2020, other))
    ]
    assert same_work(*reports) is same


def test_entries_with_an_identifier_are_one_work_within_a_year() -> None:
    entries = [paper("Annual report", "The Agency", 2019, source="import")]
    entries += [paper("Annual report", "The Agency", 2020, "10.1000/report", source="import")]
    assert same_work(*entries)


def test_a_record_can_show_that_two_works_are_one() -> None:
    works = Works()
    first = works.add(paper("A study of x", "Ann Lee", 2020, "10.1000/a"))
    second = works.add(paper("Une étude", "Ann Lee", 2020, "pmid:5"))
    third = works.add(paper("A study of x", "Ann Lee", 2020, "10.1000/a", "pmid:5"))
    assert (third.work, third.absorbed) == (first.work, (second.work,))


@pytest.mark.skipif(not BAD_INPUTS.exists(), reason="shared/faults/bad-inputs.json is not beside this checkout")
def test_known_bad_identifiers_join_nothing_that_is_not_one() -> None:
    read = json.loads(BAD_INPUTS.read_text("utf-8"))
    cases = [c for c in (read if isinstance(read, list) else read["cases"]) if c["class"] == "record_ids"]
    assert cases
    for case in cases:
        payload = case["payload"] if isinstance(case["payload"], dict) else json.loads(case["payload"])
        if payload.get("same") is None:
            continue
        one, other = (
            build_paper(
                "openalex",
                title=raw.get("title") or "An untitled matter",
                date=str(raw["year"]) if raw.get("year") else None,
                identifiers=[doi(raw.get("doi")), pmid(raw.get("pmid"))],
            )
            for raw in (payload["a"], payload["b"])
        )
        assert same_work(one, other) == payload["same"], case["id"]


def test_short_words_that_differ_by_two_letters_are_other_words() -> None:
    titles = (
        "Risk factors for coronary disease in middle aged men",
        "Risk factors for coronary disease in middle aged women",
    )
    assert not same_work(*(paper(title, "Ann Roe", 2010) for title in titles))
