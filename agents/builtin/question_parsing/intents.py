"""The kind of answer wanted: a survey, a comparison, applications, data, somebody's papers, one paper, or a topic."""

import re
from typing import Literal, NamedTuple

from agents.builtin.question_parsing.lexicon import Span

Intent = Literal[
    "survey", "recent-advances", "method-comparison", "applications", "named-paper", "author", "dataset", "topic"
]


def _any_of(words: str, max_words: int = 4) -> str:
    """Return a pattern of up to `max_words` of `words`, each before a space; a small limit keeps matching fast."""
    return rf"(?:(?:{'|'.join(words.split())}) ){{0,{max_words}}}"


_THE = _any_of("a an the any some")
_PREPOSITION = r"(?:of|on|about|for|covering|regarding|into|in)\b"
_SURVEY_KIND = _any_of(
    "a an the some any recent good comprehensive systematic scoping literature critical brief short general broad"
    " narrative umbrella"
)
_REVIEW = r"(?<!peer.)(?<!code.)(?<!product.)reviews?"
_SURVEYS = rf"(?:surveys?|{_REVIEW}|overviews?|meta-?analys[ei]s|tutorials?)"
_SURVEY = (
    rf"\b{_SURVEY_KIND}{_SURVEYS}(?: (?:papers?|articles?|literature))? {_PREPOSITION}",
    r"\b(?:a )?(?:systematic|scoping|literature|umbrella) reviews?\b",
    rf"[\s:,]{_SURVEY_KIND}(?:surveys?|{_REVIEW}|overview|tutorial) ?[.?!]?$",
    r"\bstate of (?:the )?(?:research|knowledge|literature)(?: (?:on|in|about|of))?\b",
    r"\bwhat is known about\b",
)
_ADVANCES = r"(?:advance(?:ment)?s?|progress|developments?|breakthroughs?|trends?|results|improvements?)"
_LATEST = r"(?:(?:most )?recent|latest|newest|current|new|cutting\Wedge|state\Wof\Wthe\Wart)"
_RECENT = (
    rf"\b(?:the )?{_LATEST} (?:[\w-]{{1,30}} )?{_ADVANCES}(?: (?:in|on|of|for|with))?\b",
    r"\bwhat(?:'s| is| are) (?:the )?(?:new|latest|state\Wof\Wthe\Wart)(?: (?:in|on|of|for))?\b",
    r"\b(?:the )?(?:advances|(?:recent|latest) (?:work|research|papers)|emerging trends|frontiers) (?:in|on)\b",
    r"\b(?:the )?(?:current )?(?:state\Wof\Wthe\Wart|sota) (?:in|on|of|for)\b",
)
_COMPARED_HOW = _any_of("direct head-to-head systematic empirical experimental quantitative")
_COMPARING = (
    rf"\b{_THE}{_COMPARED_HOW}comparisons? (?:studies )?(?:of|between|among)\b",
    r"\bcompar(?:e|es|ed|ing)\b(?! (?:to|with) (?:baselines?|humans?)\b)",
    rf"\b{_THE}(?:differences?|trade-?offs?) (?:between|of)\b",
)
_BETTER = r"(?:better|worse|faster|safer|cheaper|superior|inferior|(?:more|less) (?:effective|accurate|efficient))"
_COMPARING_IN_PASSING = (
    r"\b(?:vs\.?|versus)(?= )",
    rf"^(?:is|are|does|do|which|what|when|should|can)\b.{{0,150}}\b{_BETTER}\b[^.?!]{{0,60}}\b(?:than|or|to)\b",
)
_APPLIED_HOW = _any_of("the any some real-world practical clinical industrial important most medical potential new")
_APPLIED = (
    rf"\b{_APPLIED_HOW}applications? (?:areas )?of\b",
    r"\buse cases? (?:of|for)\b",
    r"\bhow (?:is|are) (?=[^.?!]{2,60}\b(?:used|applied|employed) (?:in|for|to)\b)",
    r"\bhow can (?=[^.?!]{2,60}\bbe (?:used|applied|employed) (?:in|for|to)\b)",
)
_DATA_WORD = r"(?:data\W?sets?|benchmarks?|corpora|corpus|test collections?|data collections?|test\W?beds?)"
_FOR_DATA = r"(?:which|what|find|any|(?:are|is) there|public|list of|show me|recommend|need|looking for)"
_OTHERS = r"(?:papers?|articles?|works?|stud(?:y|ies)|research|methods?|models?|approaches|evidence)\b"
_DATA = (
    rf"\b{_DATA_WORD} (?:for|of|on|containing|with|about|that|to)\b",
    rf"\b{_FOR_DATA} (?:(?!{_OTHERS})[\w-]{{1,30}} ){{0,4}}?{_DATA_WORD}\b(?! [\w-]{{1,20}}(?:tion|ing|ment)\b)",
    rf"^[^.?!]{{3,80}} {_DATA_WORD} ?[?.]?$",
)
_DATA_ON_THE_WAY = (
    rf"\b(?:on|using|with|from|across|when|in|over|to|against|by|than) (?:[\w-]{{1,30}} ){{0,4}}{_DATA_WORD}\b"
)
_VAGUELY_RECENT = (
    r"\b(?:latest|newest|up\Wto\Wdate|cutting\Wedge|recently|emerging|nowadays|sota|state\Wof\Wthe\Wart"
    r"|most recent|in recent years"
    r"|recent(?!\W(?:onset|infections?|memor(?:y|ies)|immigrants?|migrants?|graduates?|stroke|past|history|exposure))"
    r"|current (?:state|research|approaches|trends|progress|methods|literature|advances|knowledge|techniques|evidence"
    r"|understanding))\b"
)


class WordedIntent(NamedTuple):
    """The kind of answer asked for, whether recent papers are wanted, and the spans of words that say nothing else."""

    intent: Intent
    recent: bool
    spans: tuple[Span, ...]


class _Kind(NamedTuple):
    """The wording of an intent; `asking` phrases say nothing else, `meant` phrases also belong to the topic."""

    intent: Intent
    asking: tuple[re.Pattern[str], ...]
    meant: tuple[re.Pattern[str], ...] = ()


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that ignores case; a space in it matches several, because removed phrases leave gaps."""
    return re.compile(pattern.replace(" ?", r"\s{0,60}").replace(" ", r"\s{1,60}"), re.IGNORECASE)


def _all(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(_compiled, patterns))


_KINDS = (
    _Kind("dataset", (), _all(_DATA)),
    _Kind("method-comparison", _all(_COMPARING), _all(_COMPARING_IN_PASSING)),
    _Kind("survey", _all(_SURVEY)),
    _Kind("recent-advances", _all(_RECENT)),
    _Kind("applications", _all(_APPLIED)),
)
_RECENTLY, _MET_ON_THE_WAY = _compiled(_VAGUELY_RECENT), _compiled(_DATA_ON_THE_WAY)


def read_intent(text: str) -> WordedIntent:
    """Return the kind of answer that `text` (see `plain`) asks for by its wording; "topic" if it does not say."""
    recent = _RECENTLY.search(text)
    mark = (Span(*recent.span()),) if recent else ()
    for kind in _KINDS:
        if match := _first(kind.asking, text):
            span = Span(*match.span())
            return WordedIntent(
                kind.intent, bool(recent), (span, *(each for each in mark if not each.overlaps([span])))
            )
        if (span_of_kind := _first(kind.meant, text)) and (
            kind.intent != "dataset" or _asks_for_data(text, span_of_kind)
        ):
            return WordedIntent(kind.intent, bool(recent), mark)
    return WordedIntent("topic", bool(recent), mark)


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(text))), None)


def _asks_for_data(text: str, match: re.Match[str]) -> bool:
    """Whether data is the object of the question: "models trained on large datasets" asks for models."""
    mention = _MET_ON_THE_WAY.search(text)
    return mention is None or not mention.start() <= match.end() <= mention.end() + 8
