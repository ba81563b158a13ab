"""A person's additions to the report of a search: the items of PRISMA-S that a program cannot know."""

import re
from collections.abc import Mapping
from typing import NamedTuple


class FormField(NamedTuple):
    """An item of PRISMA-S: its title, what to write, and the report's text while the answer is empty."""

    title: str
    asks: str
    empty: str


FIELDS: Mapping[int, FormField] = {
    3: FormField("Study registries", "Which ones, when, with which words?", "None searched by spar."),
    4: FormField(
        "Online resources and browsing",
        "Which websites, tables of contents or other resources were searched or browsed, and how?",
        "None searched by spar.",
    ),
    6: FormField("Contacts", "Which authors, experts or makers were asked for studies?", "spar contacted nobody."),
    7: FormField("Other methods", "Which other methods were used?", "No others used by spar."),
    9: FormField("Limits and restrictions", "Why were these limits set?", "No reason was added."),
    10: FormField(
        "Search filters", "Which published filters? Changed how? Cite them.", "spar used no published filter."
    ),
    11: FormField("Prior work", "Which review's strategies were reused? Cite it.", "spar reused no earlier strategy."),
    12: FormField("Updates", "Rerun when, or by which alerts?", "spar did not update this search."),
    14: FormField("Peer review", "Who reviewed the strategies, and how (PRESS)?", "No peer review was recorded."),
}
"""The fields by the number of their item."""
_HEADING = re.compile(r"\[(\d+)\] ")


def form_text(run: str, question: str, answers: Mapping[int, str]) -> str:
    """Return the form with the `answers` so far, to be edited."""
    lines = [
        f"Report of search {run}: {' '.join(question.split())}",
        "",
        "Write below each heading. Leave it empty if you did nothing. Do not change the headings.",
    ]
    for item, form_field in FIELDS.items():
        lines += ["", f"[{item}] {form_field.title}: {form_field.asks}", *answers.get(item, "").splitlines()]
    return "\n".join([*lines, ""])


def missing_headings(text: str) -> list[int]:
    """Return the items whose heading is missing in a form, so that their text would belong to the previous item."""
    there = {int(heading[1]) for line in text.splitlines() if (heading := _HEADING.match(line))}
    return [item for item in FIELDS if item not in there]


def answers_in(text: str) -> dict[int, str]:
    """Return what was written below each heading of a form; empty answers are left out."""
    written: dict[int, list[str]] = {}
    item = 0
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading and int(heading[1]) in FIELDS:
            item = int(heading[1])
        elif item:
            written.setdefault(item, []).append(line.rstrip())
    return {item: text for item, lines in written.items() if (text := "\n".join(lines).strip())}
