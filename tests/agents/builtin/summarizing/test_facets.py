"""Facets without a model, on papers whose groups are known."""

from agents.builtin.summarizing.facets import clusters
from connectors.paper import Paper
from tests.agents.scripted import paper
from tests.rows import each

GROUPS = {
    "knowledge distillation": "A small student learns from a large teacher by knowledge distillation.",
    "token pruning": "Token pruning drops what says little, which makes the index small.",
    "hard negatives": "Training with hard negatives separates what looks alike.",
}


def papers() -> list[Paper]:
    return [
        paper(f"Neural retrieval by {name}", f"10.1000/{at}", abstract=f"We study retrieval. {text} It works {at}.")
        for at, (name, text) in enumerate([*GROUPS.items()] * 4)
    ]


def test_the_groups_of_papers_become_facets_called_by_their_own_phrases() -> None:
    found = papers()
    made = clusters("neural retrieval", found, [1.0] * len(found), 3)
    texts = {one.label: {found[place].abstract.split(". ")[1] for place in one.papers} for one in made}
    assert len(texts) == 3
    assert all(len(group) == 1 for group in texts.values())
    assert texts.keys() == GROUPS.keys()


def test_no_facet_says_what_the_topic_or_another_facet_says() -> None:
    found = papers()
    made = clusters("neural retrieval with token pruning", found, [1.0] * len(found), 5, ["Hard negatives"])
    assert not [one for one in made if "pruning" in one.label.split() and "token" in one.label.split()]
    assert not [one for one in made if "hard negatives" in one.label]


def labels(*titles: str, abstract: str = "") -> set[str]:
    """What the facets of three papers of each title are called."""
    found = [
        paper(title, f"10.1000/{at}", abstract=abstract)
        for at, title in enumerate(title for title in titles for _ in "123")
    ]
    return {cluster.label for cluster in clusters("retrieval", found, [1.0] * len(found), 5)}


@each(
    ("title", "told"),
    [
        ("Passages from generative adversarial networks", {"generative adversarial networks"}),  # not cut off
        ("Machines that generate passages", set()),  # a verb, and the plural of anything
        ("A tool: aligns passages", set()),
        ("Learning by passage pruning", {"passage pruning"}),
        ("BERT for readers", {"BERT"}),
        ("A benchmark", set()),  # of what?
        ("Improving factuality", {"factuality"}),
        ("Passage pruning improves recall", {"passage pruning", "recall"}),
        ("Passages at one hundred", set()),
        ("Passages made computationally efficient", set()),  # what?
    ],
)
def test_a_facet_is_called_by_a_whole_name_and_by_no_verb(title: str, told: set[str]) -> None:
    assert labels(title, "Sea birds") == told | {"sea birds"}


def test_a_name_with_a_small_word_in_it_is_not_cut_where_some_write_it_without_hyphens() -> None:
    told = labels("Chain of thought prompting", "Chain-of-thought prompting", "Sea birds", "Old maps")
    assert told == {"chain-of-thought prompting", "sea birds", "old maps"}


def test_no_facet_gathers_only_papers_beside_the_topic() -> None:
    found = papers()
    weights = [0.9 if "token pruning" in found_paper.title else 0.1 for found_paper in found]
    assert {cluster.label for cluster in clusters("neural retrieval", found, weights, 3, least=0.5)} == {
        "token pruning"
    }


def test_one_paper_makes_no_facet() -> None:
    assert clusters("neural retrieval", papers()[:1], [1.0], 3) == []


def test_what_is_said_of_the_topic_is_a_facet_before_what_is_only_found_with_it() -> None:
    beside = "We study the satisfiability of formulas. Our code uses gradient descent."
    on_topic = "We study how resolution proofs show the satisfiability of formulas. Our code is short."
    found = [
        paper(f"{title} {at}", f"10.1000/{at}", abstract=abstract)
        for at, (title, abstract) in enumerate([("Gradient descent", beside), ("Resolution proofs", on_topic)] * 4)
    ]
    (first,) = clusters("boolean satisfiability", found, [1.0] * len(found), 1)
    assert first.label == "resolution proofs"
