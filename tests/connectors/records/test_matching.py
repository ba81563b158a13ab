"""When two records are one paper, and what becomes of them."""

import json
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.collections import is_collection, read_collection
from connectors.identifiers import doi, parse_identifier, pmid
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper
from connectors.records.grouping import Works
from connectors.records.matching import first_author, same_work, title_key
from connectors.records.merging import merge
from tests.connectors.papers import merge_all, records, source_of
from tests.rows import each

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


@given(st.lists(records(), max_size=4), records())
def test_a_record_that_arrives_again_is_the_same_work(found: list[Paper], again: Paper) -> None:
    """Also one without an author or identifier; but not a mere “Editorial”."""
    again = replace(again, abstract=again.abstract or "What it says.")
    works = Works()
    first = works.add(again).work
    for record in found:
        works.add(record)
    joined = works.add(again)
    assert joined.work == min(first, joined.work)
    assert len(merge_all([*found, again, again])) == len(merge_all([*found, again]))


@given(st.lists(records(), max_size=6))
def test_no_identifier_is_lost(found: list[Paper]) -> None:
    kept = {name for one in merge_all(found) for name in one.identifiers}
    assert kept == {name for found_paper in found for name in found_paper.identifiers}


@each(
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


@each(
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


@each(
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


@each(
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


@each(
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


SYNERGY = Path(__file__).parents[4] / "shared" / "collections" / "synergy_half"
AUTHORS = ("Hongyin Luo", "Tianhua Zhang", "Yung-Sung Chuang")
ABOUT = "Large language models follow instructions. We ground them on search results and they reason over noisy ones."
ELSE = "Rivers carry sediment to deltas whose growth depends on dams, floods and the height of the sea nearby."


def titled(title: str, year: int = 2023, *names: str, authors: tuple[str, ...] = AUTHORS, **more: Any) -> Paper:
    people = [person for name in authors if (person := author_from_name(name))]
    identifiers = [parse_identifier(name) for name in names]
    told = {"type": "article", **more}
    return build_paper("openalex", title=title, authors=people, date=str(year), identifiers=identifiers, **told)


VARIANTS = [
    ("SAIL: Search-Augmented Instruction Learning", "Search Augmented Instruction Learning"),
    ("REALM: Retrieval-Augmented Language Model Pre-Training", "Retrieval Augmented Language Model Pre-Training"),
    (
        "RankRAG: Unifying Context Ranking with Retrieval-Augmented Generation in LLMs",
        "RankRAG: Unifying Retrieval-Augmented Generation and Context Ranking in LLMs",
    ),
    (
        "Position: On the Possibilities of AI-Generated Text Detection",
        "Position Paper: On the Possibilities of AI-Generated Text Detection",
    ),
]


@each(("one", "other"), VARIANTS)
def test_a_name_a_kind_and_an_order_of_words_make_no_other_work(one: str, other: str) -> None:
    assert same_work(titled(one, 2023, "arxiv:2305.15225"), titled(other, 2024, "10.1000/sail"))
    assert len(merge_all([titled(one), titled(other, 2024)])) == 1


@each(("one", "other"), VARIANTS[:3])
def test_other_authors_another_year_or_another_abstract_make_one(one: str, other: str) -> None:
    first = titled(one, abstract=ABOUT)
    assert not same_work(first, titled(other, authors=(AUTHORS[0], "Ann Other", "Bea More")))
    assert not same_work(first, titled(other, 2026))
    assert not same_work(first, titled(other, abstract=ELSE))


def test_a_kind_before_the_title_is_left_out_only_where_the_abstracts_are_akin() -> None:
    """An erratum has the authors, the year and the title of its titled, and says something else."""
    title = "On the possibilities of detecting generated text"
    assert same_work(titled(f"Position: {title}", abstract=ABOUT), titled(title, abstract=ABOUT + " We prove it."))
    assert not same_work(titled(f"Erratum: {title}", abstract=""), titled(title, abstract=ABOUT))
    assert not same_work(titled(f"Erratum: {title}", abstract=ELSE), titled(title, abstract=ABOUT))


@each(
    ("one", "other"),
    [
        ("SAIL: A survey", "A survey"),
        ("Reasoning: methods, data and open problems", "Retrieval: methods, data and open problems"),
        ("LLaMA 2: open foundation and fine-tuned chat models", "LLaMA 3: open foundation and fine-tuned chat models"),
        ("Part II: Sediment transport in rivers and deltas", "Sediment transport in rivers and deltas"),
        ("A name of four words: sediment transport in rivers and deltas", "Sediment transport in rivers and deltas"),
    ],
)
def test_short_titles_other_names_numbers_and_long_heads_stay_apart(one: str, other: str) -> None:
    assert not same_work(titled(one), titled(other))


def test_names_of_both_versions_keep_works_apart() -> None:
    one, other = VARIANTS[0]
    assert not same_work(titled(one, 2023, "arxiv:2305.15225"), titled(other, 2023, "arxiv:2305.99999"))
    assert not same_work(titled(one, 2023, "10.1000/a"), titled(other, 2023, "10.1000/b"))


def test_of_a_single_author_the_abstracts_have_to_be_akin() -> None:
    one, other = VARIANTS[0]
    alone = AUTHORS[:1]
    assert not same_work(titled(one, authors=alone), titled(other, authors=alone))
    assert same_work(titled(one, authors=alone, abstract=ABOUT), titled(other, authors=alone, abstract=ABOUT))


def test_long_titles_that_differ_by_a_word_are_two_works_where_the_abstracts_are_not_akin() -> None:
    clinical = "A clinical study of the diagnosis of cystic fibrosis by activation analysis of sodium in nail clippings"
    methods = clinical.replace("clinical", "methodical")
    assert same_work(titled(clinical), titled(methods))
    assert same_work(titled(clinical, abstract=ABOUT), titled(methods, abstract=ABOUT))
    assert not same_work(titled(clinical, abstract=ABOUT), titled(methods, abstract=ELSE))


def test_small_words_make_no_other_title_whatever_the_abstracts_say() -> None:
    one = "Constructing semantics-aware adversarial examples with a probabilistic perspective"
    assert same_work(titled(one, abstract=ABOUT), titled(one.replace("with a", "with"), abstract=ELSE))


@each(
    ("one", "other"),
    [
        (
            "Conundrums in entity coreference: the state of the art",
            "Conundrums in event coreference: the state of the art",
        ),
        (
            "Cardiovascular outcomes of hormone therapy in women",
            "Noncardiovascular outcomes of hormone therapy in women",
        ),
        (
            "Author response: risk factors in offspring exposed to diabetes",
            "Risk factors in offspring exposed to diabetes",
        ),
    ],
)
def test_almost_equal_titles_with_other_words_are_two_works_unless_their_abstracts_are_the_same(
    one: str, other: str
) -> None:
    """Two reports of one study share the authors, the year and more than half of the words."""
    second = "Large language models follow orders. We ground them on search results and they fail beyond noise."
    assert not same_work(titled(one, abstract=ABOUT), titled(other, abstract=second))
    assert same_work(titled(one, abstract=ABOUT), titled(other, abstract=ABOUT))


def test_an_erratum_in_brackets_by_one_author_is_another_work_and_a_slip_is_none() -> None:
    title = "Chebyshev interpolation and quadrature formulas of very high degree"
    first = titled(title, authors=AUTHORS[:1])
    assert not same_work(first, titled(f"{title} (Errata)", authors=AUTHORS[:1]))
    assert same_work(first, titled(title.replace("shev", "schev"), authors=AUTHORS[:1]))
    assert same_work(first, titled(title.replace("degree", "degrees"), authors=AUTHORS[:1]))


@pytest.mark.skipif(not is_collection(SYNERGY), reason="../shared/collections is not beside the repository")
def test_no_two_works_of_reviews_are_merged_by_an_almost_equal_title() -> None:
    """Of 7,518 papers three pairs were merged by titles that differ; those that remain were looked at."""
    papers = [
        titled(each.title, each.year or 0, authors=each.authors, abstract=each.abstract)
        for each in read_collection(SYNERGY).documents
        if each.year
    ]
    by_author = groupby(sorted(papers, key=first_author), key=first_author)
    pairs = [pair for name, some in by_author if name for pair in combinations(list(some)[:50], 2)]
    merged = {
        min(a.title, b.title)[:11] for a, b in pairs if title_key(a.title) != title_key(b.title) and same_work(a, b)
    }
    assert merged == {"Emicizumab ", "Sociodemogr"}
