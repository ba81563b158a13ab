"""What may stand in a slot of a phrase, by the kind of the slot."""

from agents.builtin.question_parsing.dates.date_expressions import DATE
from agents.builtin.requests.spoken_sources import ANY_SOURCE
from agents.builtin.requests.vocabulary import NUMBERS, ORDINALS


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_NUMBER_WORD = _any(" ".join(NUMBERS))
_DIGITS = "[0-9]{1,9}"
_GROUPED = r"[0-9]{1,3}(?:[, ][0-9]{3})+"
_STYLE = r"apa|mla|chicago|ieee|vancouver|nature(?= (?:style|format|ref|cit))"
_FORMAT = rf"bib ?tex|bib-?latex|\.?bib|\.?ris|csl(?:[ -]?json)?|json|markdown|csv|spreadsheet|text|{_STYLE}"
_FORM = "(?:files?|entry|entries|formatted|format|style|text|references?|citations?|bibliography|list|records?|code)"
_SOURCE = f"(?:{ANY_SOURCE})"

_NO_PERSON = (
    r"(?!(?:that|which|more|less|fewer|than|papers?|articles?|ones?|works?|with|by|from|in|on|of|the|a|an|my|me|i|not|no"
    r"|have|has|is|are|was|were|citations?|since|before|after|tagged|about|their|its|only|all|any)\b)"
)

KINDS = {
    "any": r"[^ ].{0,300}?",
    "text": r"[^ ].*",
    "word": r"[\"']?[\w./:+-]*[\w+][\"']?",
    "tag": r"(?!(?:have|has|had|not|are|is|was|were|published|written|since|from|by|in|on|with|without|i|that"
    "|which|still|never"
    r"|cited|about|before|after)\b)[\"']?[\w./:+-]*[\w+][\"']?",
    "people": rf"{_NO_PERSON}[\w.'-]+(?:(?: (?:and|or|&)|, ?(?:and|or)?)? {_NO_PERSON}[\w.'-]+){{0,6}}?",
    "named": r"(?:(?:this|that) (?:one|paper)|it|that|this"
    r"|(?:the )?(?-i:[\w+-]*[A-Z\d][\w+-]*(?: [A-Z\d][\w+-]*){0,6}))",
    "few": r"[^\s,;]+(?: [^\s,;]+){0,3}?",
    "quoted": r"(?:\"[^\"]{1,300}\"|'[^']{1,300}')",
    "state": _any("unread read saved liked disliked unsaved noted annotated retracted free tagged"),
    "papers": _any("papers? articles? ones preprints works publications stuff surveys books"),
    # Numbers
    "number": rf"(?:[0-9]{{1,3}}|{_NUMBER_WORD})(?![\w%])",
    "digits": "[0-9]{1,4}",
    "range": "[0-9]{1,4} ?- ?[0-9]{1,4}",
    "count": rf"(?:(?:{_GROUPED}|{_DIGITS}|[0-9]+\.[0-9](?= ?k)|a|{_NUMBER_WORD})(?: ?k| thousand| hundred)?)(?!\w)",
    "atleast": "at least",
    "atmost": "(?:at most|up to|no more than)",
    "over": "(?:more than|over|above)",
    "under": "(?:fewer than|less than|under|below)",
    # Places in a list
    "ordinal": rf"(?:{'|'.join(ORDINALS)}|last|latter|bottom)(?!\w)",
    "last": "last",
    "half": _any("first top upper second last lower bottom"),
    "places": r"[@#]?[0-9]{1,3}(?:(?:, ?(?:and |or )?| ?(?:and|to|or|through|-) ?| )[@#]?[0-9]{1,3})*(?![\w%-])",
    # What is known of a paper
    "part": "(?:abstract|authors?|venue|journal|conference|publication date|date|year|citation count|citations|doi"
    "|identifiers?|url|link"
    "|pdf|notes?|tags|keywords|when|where)",
    # Times
    "date": DATE,
    "years": r"(?:19|20)[0-9]{2} ?[-/] ?(?:(?:19|20)[0-9]{2}|[0-9]{2})(?![\w/-])",
    "decade": _any("twenties thirties forties fifties sixties seventies eighties nineties"),
    "unit": "(?:day|week|month|year)s?",
    "weekday": "(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "monthday": "(?:[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th|\\.)?",
    "monthname": "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b",
    "year": "20[0-9]{2}",
    "month": _any("january february march april may june july august september october november december")
    + "(?! [0-9])",
    # What the person says of themselves
    "remember": "(?:(?:to )?remember|to be remembered|note"
    "|keep in mind|do not forget|bear in mind|take note|memorize|(?:add to|(?:write|put) (?:in|into)) my"
    " profile)",
    # Comparisons
    "later": "(?:newer|later|more recent|younger|more recently published)",
    "earlier": "(?:older|earlier|less recent)",
    "oftener": "(?:more (?:often |frequently |highly |widely )?cited|cited (?:more|more often|more frequently))",
    "rarer": "(?:less (?:often |frequently |highly |widely )?cited|cited (?:less|less often|less frequently))",
    # What the program has to do with
    "run": _any("search(?:es)? summar(?:y|ies) recommendations? conversations? chats runs queries"),
    "source": f"{_SOURCE}(?:(?:,| and| or)+ {_SOURCE})*",
    "how": f"(?:(?:plain |formatted )?(?:{_FORMAT}))(?: {_FORM})*",
}
"""Patterns by the kind's name."""
