"""What a conversation cannot do and another verb of the program can: the answer names it."""

import re

from agents.builtin.requests.phrases import Phrases

_ANY = (
    "[{show}|{what_is}|do i have|have i [got]|are there|is there|which|list|set up|make|create|add|start|stop|drop"
    "|delete]"
)
_WATCHES = (
    "Watches are not kept in a conversation: `spar watch --list` lists them,"
    ' `spar search "…" --watch NAME` sets one up.'
)
_ELSEWHERE = (
    (Phrases(f"""
        {_ANY} [any|a|an|my|the|all|all my] (watch/watches/alert/alerts|(stored|saved) search/searches)
            [do i have|have i|are there] [set up|running|active|stored|defined|there] [<:text>]
        (do|have|am|did) i [have|got|set up] [any|some|a] (watches|watch|alerts|alert) [running|active|set up|there|now]
        (am i|what am i|is spar|are you|what are you) [currently|still] watching [anything|something|for me|<:any>]
        (are there|which) [any] watches <:text>
        (watch|follow|keep an eye on|keep track of) (the topic|the author|this search|this question
            |that search) [<:text>]
        (alert|notify) me (when|if|about|of) <:text>
    """), _WATCHES),
    (Phrases("""
        (download|fetch) [me] [the] (pdf/pdfs|full text/texts) [of|for] [<:text>]
    """), "A conversation fetches no files: `spar fetch PAPER` fetches the PDF of a paper where one is free."),
    (Phrases("""
        import [my|the|a|this] [<:any>] (library|bibliography|file|bib/bibtex/ris|zotero) [<:text>]
    """), "A conversation imports no files: `spar import FILE` puts the papers of a bibliography on your shelf."),
    (Phrases("""
        (change|set|show|open) [me] [my|the] (settings|configuration|config|options) [<:text>]
    """), "A conversation changes no settings: `spar config` shows and changes them."),
)  # fmt: skip


_OWN_WATCHES = re.compile(
    r"\b(?:my|any|got|have|no|the) (?:\w+ ){0,2}?watch(?:es)?\b"
    r"(?: (?:running|set up|active|stored|going))?(?=[.,;?!]|$)",
    re.IGNORECASE,
)


def done_elsewhere(text: str) -> str:
    """The sentence that says which verb does what `text` wants; "" where no other is needed."""
    if _OWN_WATCHES.search(text):
        return _WATCHES
    return next((told for phrases, told in _ELSEWHERE if phrases.match(text) is not None), "")


_THING = (
    r"weather|forecast|temperature|rain(?:ing)?|trains?|flights?|bus(?:es)?|taxi|cab|hotels?|rooms?|tickets?|restaurants?"
    r"|pizza|dinner|lunch|breakfast|football|soccer|match|team|league|film|movies?|concert|song|music|recipes?|alarm"
    r"|timer|calendar|appointments?|e-?mail|mail|phone|joke|horoscope|stocks?|bitcoin|dentist|doctor|holidays?|vacation"
)
_DO = (
    r"book(?:ing|ed)?|reserv(?:e|ed|ation)|order|buy|call|ring|send|play|cook|bake|wake|remind|schedule|pay|rent"
    r"|won|win|wins|scored?|expected|going to be|will (?:it|there|the)|arrives?|leaves?|departs?|departures?|departure"
    r"|destination"
)
_NOW = (
    r"tomorrow|tomorow|tonight|today|this (?:morning|evening|afternoon|weekend)|last night(?:'s)?|next (?:week|weekend)"
    r"|(?:on|for|by|until) (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday"
    r"|at (?:noon|midnight|\d+ ?(?:am|pm|o'clock))"
)
_OF_EVERYDAY_LIFE = tuple(
    re.compile(rf"\b(?:{said})(?![\w-])", re.IGNORECASE) for said in (_THING, _DO, _NOW)
)  # fmt: skip
_OF_A_LIBRARY = re.compile(
    r"\b(?:papers?|articles?|publications?|preprints?|library|shelf|literature|surveys?|abstracts?|cited?|citations?"
    r"|authors?|venues?|journals?|bibtex|tag(?:s|ged)?|notes?|save[ds]?|about|arxiv|search(?:es|ed)?|summar\w+"
    r"|recommend\w*|read)\b|\"",
    re.IGNORECASE,
)


def of_everyday_life(text: str) -> bool:
    """Whether a message asks for what no library has: a train to be booked, tomorrow's weather. Two of the thing, what
    is to be done with it, and the time must be told, and nothing that has to do with papers."""
    if _OF_A_LIBRARY.search(text):
        return False
    thing, *others = (said.search(text) is not None for said in _OF_EVERYDAY_LIFE)
    return thing and any(others)
