"""Which sentences of an abstract report a finding, by its zones (argumentative zoning, Teufel & Moens 2002).

Background and aim, methods, results, and conclusions follow each other, and differ in a few words and signs: a hidden
Markov model with a state for each zone. `python -m tests.benchmarks.findings` measures it; with `--shares` it prints
the numbers, which are those of the structured abstracts in one of its halves.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import prod
from operator import mul

Zones = Sequence[float]
"""A number for each zone, in the order of abstracts."""
CUES: tuple[tuple[str, Zones], ...] = (
    (r"\d", (0.21, 0.53, 0.71, 0.23)),
    (r"[%<=>≤≥±]|ci|confidence|intervals?|ratios?|vs|versus|respectively|mean|median", (0.03, 0.14, 0.46, 0.03)),
    (r"is|are|can|been", (0.43, 0.04, 0.06, 0.38)),
    (r"was|were|had|did", (0.12, 0.60, 0.65, 0.13)),
    (r"may|might|could|should|will|would|need(?:s|ed)?|future|further", (0.11, 0.02, 0.04, 0.29)),
    ((r"aim(?:s|ed)?|objectives?|purpose|goals?|whether|sought|hypothes\w+|determine|examine|assess|investigated?|"
     r"evaluate|identify|explore|compare|describe|estimate|characteri[sz]e"), (0.34, 0.07, 0.02, 0.06)),
    ((r"however|although|but|despite|un(?:known|clear)|known|remains?|little|few|recent(?:ly)?|important|common(?:ly)?|"
     r"challeng\w+|lack\w*"), (0.23, 0.02, 0.11, 0.16)),
    ((r"using|used|conducted|performed|measured|collected|enrolled|recruited|random(?:i[sz]ed|ly)|assigned|included|"
     r"received|analy[sz]ed|assessed|applied|obtained|searched|followed|propos\w+|introduc\w+|develop(?:ed)?|present"),
     (0.16, 0.46, 0.12, 0.08)),
    ((r"show(?:s|ed|n)?|found|observed|reveal\w*|demonstrat\w+|significan\w+|higher|lower|greater|less|more|fewer|than|"
     r"compared|increas\w+|decreas\w+|reduc\w+|improv\w+|associated|correlated|differ\w*|outperform\w*|achiev\w+|no"),
     (0.29, 0.12, 0.58, 0.46)),
    (r"conclu\w+|suggest\w*|indicat\w+|impl(?:y|ies)|findings?|results|evidence|support\w*|thus|therefore",
     (0.11, 0.04, 0.07, 0.22)),
    (r"we|our|i|this", (0.25, 0.16, 0.09, 0.19)),
)  # fmt: skip
"""Words and signs, and the share of the sentences of each zone that have one of them."""
_AFTER: tuple[Zones, ...] = (
    (0.551, 0.418, 0.030, 0.001), (0.002, 0.721, 0.276, 0.001), (0.001, 0.001, 0.784, 0.214),
    (0.003, 0.046, 0.001, 0.950),
)  # fmt: skip
"""The share of each zone after a sentence of each zone."""
_FIRST: Zones = (0.990, 0.006, 0.003, 0.001)
"""The share of each zone at the beginning."""
_ANY: Zones = (1.0, 1.0, 1.0, 1.0)
_FINDING = 2
"""Index of the first zone with findings."""
_DEPENDENT = 0.5
"""Weight of the cues, which depend on each other."""
_WORD = re.compile(r"[^\W\d_]+|\d|[%<=>≤≥±]")
_CUE_WORDS = tuple(re.compile(words) for words, _ in CUES)


def findings(sentences: Sequence[str]) -> list[float]:
    """Return the probability that each sentence of an abstract is a result or a conclusion."""
    return [sum(zones[_FINDING:]) for zones in zones_of(sentences)]


def zones_of(sentences: Sequence[str]) -> list[Zones]:
    """Return the probability of each zone for each sentence of an abstract."""
    seen = [_likelihoods(cues_in(sentence)) for sentence in sentences]
    forward: list[Zones] = []
    for likelihoods in seen:
        before = _through(forward[-1], zip(*_AFTER, strict=True)) if forward else _FIRST
        forward.append(_scaled(before, likelihoods))
    backward: list[Zones] = [_ANY]
    for likelihoods in seen[:0:-1]:
        backward.append(_scaled(_through(_scaled(backward[-1], likelihoods), _AFTER)))
    return [_scaled(*both) for both in zip(forward, reversed(backward), strict=True)] if seen else []


def cues_in(sentence: str) -> frozenset[int]:
    """Return the indexes of the cues in a sentence."""
    return frozenset().union(*map(_cues_of, set(_WORD.findall(sentence.lower()))))


@lru_cache(maxsize=50_000)
def _cues_of(word: str) -> frozenset[int]:
    return frozenset(index for index, cue in enumerate(_CUE_WORDS) if cue.fullmatch(word))


@lru_cache(maxsize=4_096)
def _likelihoods(cues: frozenset[int]) -> Zones:
    signs = [shares if index in cues else [1 - share for share in shares] for index, (_, shares) in enumerate(CUES)]
    return [prod(shares) ** _DEPENDENT for shares in zip(*signs, strict=True)]


def _through(zones: Zones, shares: Iterable[Zones]) -> Zones:
    return [sum(map(mul, zones, share)) for share in shares]


def _scaled(zones: Zones, factors: Zones = _ANY) -> Zones:
    products = list(map(mul, zones, factors))
    total = sum(products)
    return [product / total for product in products]
