"""The commands of which a message is made."""

import re

from agents.builtin.requests.sentences.verbatim import QUOTED

_COMMANDS = """
save bookmark shelve unsave tag untag label note mark sort rank order show list summarize export write give cite
check search recommend add remove take keep like dislike dismiss undo find tell filter drop put only print what
which who how when where rename delete exclude annotate suggest make create count sum consider narrow look get star
restrict use focus forget go then put flag tick attach pull hide
""".split()
_JOINT = re.compile(
    r"(?:\s*;\s*|(?<=\w\w)[.?!]\s+)|(?:,?\s+(?:and\s+)?then,?\s+|,\s*(?:and\s+)?(?:also\s+|please\s+)?"
    r"|\s+and\s+(?:also\s+|then\s+|please\s+)?|\s+but\s+)"
    r"(?!how (?:many|often) (?:(?:of )?(?:each|every|them)|i use)\b|how many papers (?:each|they|every)\b)"
    r"(?!(?:only|just) (?:older|newer|earlier|later|more recent|less|more)\b)"
    rf"(?=(?:please\s+)?(?:{'|'.join(_COMMANDS)})\b)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\b(?:note|comment|annotate|remark)\b[^:]*:|\bnote\b.* (?:saying|that says|that reads)\b|:", re.IGNORECASE
)


def commands_of(text: str) -> list[str]:
    """The commands of a message; one that stands in quotation marks, or in a note, is none."""
    quoted = [match.span() for match in QUOTED.finditer(text)]
    note = _NOTE.search(text)
    parts, begin = [], 0
    for cut in _JOINT.finditer(text):
        if any(start < cut.start() < end for start, end in quoted):
            continue
        if note and cut.start() > note.end():
            break
        parts.append(text[begin : cut.start()])
        begin = cut.end()
    return [part.strip(" ,;") for part in (*parts, text[begin:]) if part.strip(" ,;.")]
