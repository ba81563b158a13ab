"""Groups of papers whose quotes are about the same subject, which a text may treat together."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from itertools import combinations, product
from math import fsum, log
from typing import TypeVar

from agents.builtin.text.terms import terms

Key = TypeVar("Key", bound=Hashable)


def clusters(quotes: Iterable[tuple[Key, str]], question: str) -> list[list[Key]]:
    """Return the groups of papers in `quotes`, the closest group first; papers without a similar one are left out.

    Two papers are similar if the terms that their quotes share beyond the question have enough information to identify
    one quote among all; by chance, less than one pair has. In a group, all pairs are similar (complete linkage).
    """
    term_sets = [(key, frozenset(terms(text)) - frozenset(terms(question))) for key, text in quotes]
    having = Counter(term for _, stems in term_sets for term in stems)
    links: dict[frozenset[Key], float] = defaultdict(float)
    for (first, first_terms), (second, second_terms) in combinations(term_sets, 2):
        shared = fsum(sorted(log(len(term_sets) / having[term]) for term in first_terms & second_terms))
        if first != second and shared >= log(len(term_sets)):
            links[frozenset((first, second))] = max(links[frozenset((first, second))], shared)
    groups = {key: [key] for key, _ in term_sets}
    for link in sorted(links, key=lambda link: -links[link]):
        group, joining = (groups[key] for key in link)
        if group is not joining and all(frozenset(pair) in links for pair in product(group, joining)):
            group += joining
            groups |= dict.fromkeys(joining, group)
    large = {id(group): group for group in groups.values() if len(group) > 1}
    closest = {id(group): max(links.get(frozenset(pair), 0.0) for pair in combinations(group, 2))
               for group in large.values()}  # fmt: skip
    places = {key: index for index, (key, _) in enumerate(term_sets)}
    return [sorted(large[name], key=places.__getitem__) for name in sorted(large, key=lambda name: -closest[name])]
