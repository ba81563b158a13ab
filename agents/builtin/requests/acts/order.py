"""All that can be wanted, in the order in which it is asked: what is most plainly said first."""

from collections.abc import Callable, Sequence
from functools import partial

from agents.builtin.requests.acts.checking import CHECKING
from agents.builtin.requests.acts.chosen import chosen
from agents.builtin.requests.acts.exporting import exporting
from agents.builtin.requests.acts.links import LINKS
from agents.builtin.requests.acts.listing import LISTING
from agents.builtin.requests.acts.of_the_best import of_the_best
from agents.builtin.requests.acts.one_paper import FACTS_OF_ONE, KNOWN_PAPER, ONE_PAPER, SEVERAL_PARTS
from agents.builtin.requests.acts.own_shelf import OWN_SHELF
from agents.builtin.requests.acts.past_runs import past_runs
from agents.builtin.requests.acts.recommending import recommending
from agents.builtin.requests.acts.rule import Rule, first_reading
from agents.builtin.requests.acts.searching import SEARCHING
from agents.builtin.requests.acts.summarizing import summarizing
from agents.builtin.requests.acts.yes_or_no import yes_or_no
from agents.builtin.requests.changes.marking import MARKING
from agents.builtin.requests.changes.noting import NOTING
from agents.builtin.requests.changes.saving import SAVING
from agents.builtin.requests.changes.tagging import TAGGING
from agents.builtin.requests.changes.taste import TASTE
from agents.builtin.requests.facts.figures import count, figure, things
from agents.builtin.requests.facts.history import history
from agents.builtin.requests.facts.missing import missing
from agents.builtin.requests.facts.tables import table
from agents.builtin.requests.facts.two_papers import of_two_papers
from agents.builtin.requests.facts.untagged import untagged
from agents.builtin.requests.in_any_order.wishes import wished
from agents.builtin.requests.scene import Reading, Scene

Act = Callable[[str, Scene], Reading | None]


def _by(rules: Sequence[Rule]) -> Act:
    return partial(_read, rules)


def _read(rules: Sequence[Rule], text: str, scene: Scene) -> Reading | None:
    return first_reading(rules, text, scene)


_OF_ONE = tuple(_by(rules) for rules in (SEVERAL_PARTS, LINKS, NOTING, ONE_PAPER))
ACTS: tuple[Act, ...] = (
    _by(LISTING), of_two_papers, partial(of_the_best, reads=_OF_ONE), _by(FACTS_OF_ONE), _by(SEVERAL_PARTS), history,
    wished, past_runs,
    exporting, _by(LINKS), _by(NOTING),
    _by(CHECKING), _by(TAGGING),
    _by(SAVING), _by(MARKING), _by(TASTE), summarizing, _by(OWN_SHELF), recommending, _by(SEARCHING),
    _by(KNOWN_PAPER), yes_or_no, things, missing, figure, table, untagged, count, _by(ONE_PAPER), chosen,
)  # fmt: skip
