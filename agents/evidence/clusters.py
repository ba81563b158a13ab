"""Papers whose quotes speak of the same: what a text may bring together."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from itertools import combinations, product
from math import fsum, log
from typing import TypeVar

from agents.builtin.text.terms import terms

Key = TypeVar("Key", bound=Hashable)


def clusters(quotes: Iterable[tuple[Key, str]], question: str) -> list[list[Key]]:
    """Return the papers of `quotes` that belong together, the closest group first; papers that stand alone are in none.

    Two papers belong together if their quotes share terms beyond the question that so many quotes share by chance in
    less than one pair: their information is more than it takes to tell one of all quotes. In a group each two papers
    do (complete linkage).
    """
    term_sets = [(key, frozenset(terms(text)) - frozenset(terms(question))) for key, text in quotes]
    having = Counter(term for _, some in term_sets for term in some)
    links: dict[frozenset[Key], float] = defaultdict(float)
    for (first, here), (other, there) in combinations(term_sets, 2):
        shared = fsum(sorted(log(len(term_sets) / having[term]) for term in here & there))
        if first != other and shared >= log(len(term_sets)):
            links[frozenset((first, other))] = max(links[frozenset((first, other))], shared)
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
