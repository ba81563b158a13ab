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
    told = [(key, frozenset(terms(text)) - frozenset(terms(question))) for key, text in quotes]
    having = Counter(term for _, some in told for term in some)
    links: dict[frozenset[Key], float] = defaultdict(float)
    for (one, here), (other, there) in combinations(told, 2):
        shared = fsum(sorted(log(len(told) / having[term]) for term in here & there))
        if one != other and shared >= log(len(told)):
            links[frozenset((one, other))] = max(links[frozenset((one, other))], shared)
    groups = {key: [key] for key, _ in told}
    for link in sorted(links, key=lambda link: -links[link]):
        group, joining = (groups[key] for key in link)
        if group is not joining and all(frozenset(pair) in links for pair in product(group, joining)):
            group += joining
            groups |= dict.fromkeys(joining, group)
    found = {id(group): group for group in groups.values() if len(group) > 1}
    closest = {id(group): max(links.get(frozenset(pair), 0.0) for pair in combinations(group, 2))
               for group in found.values()}  # fmt: skip
    places = {key: index for index, (key, _) in enumerate(told)}
    return [sorted(found[name], key=places.__getitem__) for name in sorted(found, key=lambda name: -closest[name])]
