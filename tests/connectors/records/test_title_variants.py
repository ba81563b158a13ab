"""Variants of one title by the same authors are one work; series, errata and works of others are not."""

from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import pytest

from agents.bench.collections import is_collection, read_collection
from connectors.identifiers import parse_identifier
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper
from connectors.records.matching import first_author, same_work, title_key
from tests.connectors.papers import merge_all

SYNERGY = Path(__file__).parents[4] / "shared" / "collections" / "synergy_half"
AUTHORS = ("Hongyin Luo", "Tianhua Zhang", "Yung-Sung Chuang")
ABOUT = "Large language models follow instructions. We ground them on search results and they reason over noisy ones."
ELSE = "Rivers carry sediment to deltas whose growth depends on dams, floods and the height of the sea nearby."


def paper(title: str, year: int = 2023, *names: str, authors: tuple[str, ...] = AUTHORS, **more: Any) -> Paper:
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


@pytest.mark.parametrize(("one", "other"), VARIANTS)
def test_a_name_a_kind_and_an_order_of_words_make_no_other_work(one: str, other: str) -> None:
    assert same_work(paper(one, 2023, "arxiv:2305.15225"), paper(other, 2024, "10.1000/sail"))
    assert len(merge_all([paper(one), paper(other, 2024)])) == 1


@pytest.mark.parametrize(("one", "other"), VARIANTS[:3])
def test_other_authors_another_year_or_another_abstract_make_one(one: str, other: str) -> None:
    first = paper(one, abstract=ABOUT)
    assert not same_work(first, paper(other, authors=(AUTHORS[0], "Ann Other", "Bea More")))
    assert not same_work(first, paper(other, 2026))
    assert not same_work(first, paper(other, abstract=ELSE))


def test_a_kind_before_the_title_is_left_out_only_where_the_abstracts_are_akin() -> None:
    """An erratum has the authors, the year and the title of its paper, and says something else."""
    title = "On the possibilities of detecting generated text"
    assert same_work(paper(f"Position: {title}", abstract=ABOUT), paper(title, abstract=ABOUT + " We prove it."))
    assert not same_work(paper(f"Erratum: {title}", abstract=""), paper(title, abstract=ABOUT))
    assert not same_work(paper(f"Erratum: {title}", abstract=ELSE), paper(title, abstract=ABOUT))


@pytest.mark.parametrize(
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
    assert not same_work(paper(one), paper(other))


def test_names_of_both_versions_keep_works_apart() -> None:
    one, other = VARIANTS[0]
    assert not same_work(paper(one, 2023, "arxiv:2305.15225"), paper(other, 2023, "arxiv:2305.99999"))
    assert not same_work(paper(one, 2023, "10.1000/a"), paper(other, 2023, "10.1000/b"))


def test_of_a_single_author_the_abstracts_have_to_be_akin() -> None:
    one, other = VARIANTS[0]
    alone = AUTHORS[:1]
    assert not same_work(paper(one, authors=alone), paper(other, authors=alone))
    assert same_work(paper(one, authors=alone, abstract=ABOUT), paper(other, authors=alone, abstract=ABOUT))


def test_long_titles_that_differ_by_a_word_are_two_works_where_the_abstracts_are_not_akin() -> None:
    clinical = "A clinical study of the diagnosis of cystic fibrosis by activation analysis of sodium in nail clippings"
    methods = clinical.replace("clinical", "methodical")
    assert same_work(paper(clinical), paper(methods))
    assert same_work(paper(clinical, abstract=ABOUT), paper(methods, abstract=ABOUT))
    assert not same_work(paper(clinical, abstract=ABOUT), paper(methods, abstract=ELSE))


def test_small_words_make_no_other_title_whatever_the_abstracts_say() -> None:
    one = "Constructing semantics-aware adversarial examples with a probabilistic perspective"
    assert same_work(paper(one, abstract=ABOUT), paper(one.replace("with a", "with"), abstract=ELSE))


@pytest.mark.parametrize(
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
    assert not same_work(paper(one, abstract=ABOUT), paper(other, abstract=second))
    assert same_work(paper(one, abstract=ABOUT), paper(other, abstract=ABOUT))


def test_an_erratum_in_brackets_by_one_author_is_another_work_and_a_slip_is_none() -> None:
    title = "Chebyshev interpolation and quadrature formulas of very high degree"
    first = paper(title, authors=AUTHORS[:1])
    assert not same_work(first, paper(f"{title} (Errata)", authors=AUTHORS[:1]))
    assert same_work(first, paper(title.replace("shev", "schev"), authors=AUTHORS[:1]))
    assert same_work(first, paper(title.replace("degree", "degrees"), authors=AUTHORS[:1]))


@pytest.mark.skipif(not is_collection(SYNERGY), reason="../shared/collections is not beside the repository")
def test_no_two_works_of_reviews_are_merged_by_an_almost_equal_title() -> None:
    """Of 7,518 papers three pairs were merged by titles that differ; those that remain were looked at."""
    papers = [
        paper(each.title, each.year or 0, authors=each.authors, abstract=each.abstract)
        for each in read_collection(SYNERGY).documents
        if each.year
    ]
    by_author = groupby(sorted(papers, key=first_author), key=first_author)
    pairs = [pair for name, some in by_author if name for pair in combinations(list(some)[:50], 2)]
    merged = {
        min(a.title, b.title)[:11] for a, b in pairs if title_key(a.title) != title_key(b.title) and same_work(a, b)
    }
    assert merged == {"Emicizumab ", "Sociodemogr"}
