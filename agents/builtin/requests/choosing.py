"""Papers that are asked for by what they are like: hard conditions, soft ones, and an order."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agents.builtin.question_parsing.author_names import read_author_names
from agents.builtin.question_parsing.conditions import read_conditions
from agents.builtin.question_parsing.dates.bounds import read_dates
from agents.builtin.question_parsing.spans import blanked, plain, without
from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.question_parsing.venues import read_venue
from agents.builtin.requests.references import NUMBER, bare_name, names_in, number_of, pointed_at
from agents.builtin.requests.scene import Call, Scene

MOST_SHOWN = 100
_END = r"(?=\s*(?:$|[,;.?!]|\b(?:but|except|since|from|before|after|published|with|without|that|which|who|by|in\s+(?:19|20)[0-9]{2}|on\s+my|sorted|ranked|ordered|newest|most|cited|please|pls|and\s+(?:not|then|sort|rank|order|only))\b))"


@dataclass
class Choice:
    """What is read so far of a request for papers; `text` is what is left of it."""

    text: str
    scene: Scene
    conditions: dict[str, Any] = field(default_factory=dict)
    like: list[str] = field(default_factory=list)
    like_words: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    order: str = ""
    order_words: str = ""
    prefer: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)
    limit: int | None = None
    onward: bool = False

    def take(self, pattern: str, flags: int = re.IGNORECASE) -> re.Match[str] | None:
        """The first place where `pattern` stands, which is then read."""
        match = re.search(pattern, plain(self.text), flags)
        if match:
            self.text = f"{self.text[: match.start()]} {self.text[match.end() :]}"
        return match

    def add(self, name: str, *values: str) -> None:
        """One more alternative, or one more phrase."""
        self.conditions[name] = tuple(dict.fromkeys((*self.conditions.get(name, ()), *values)))

    @property
    def says_something(self) -> bool:
        return bool(self.conditions or self.like or self.like_words or self.unlike or self.order)

    def calls(self) -> list[Call]:
        """The steps that choose and order, without showing."""
        calls = [Call("filter", self.conditions)] if self.conditions else []
        if self.like or self.like_words or self.unlike:
            given: dict[str, Any] = {"papers": self.like, "unlike": self.unlike}
            calls.append(
                Call(
                    "resemble",
                    {name: value for name, value in (*given.items(), ("words", " ".join(self.like_words))) if value},
                )
            )
        if self.order:
            ranked = {"by": self.order, "words": self.order_words, "prefer": self.prefer, "unwanted": self.unwanted}
            calls.append(Call("rank", {name: value for name, value in ranked.items() if value}))
        return calls


def read_choice(text: str, scene: Scene) -> Choice:
    """All that `text` says of the papers that are wanted."""
    choice = Choice(text, scene)
    for read in _READERS:
        read(choice)
    return choice


def _scope(choice: Choice) -> None:
    """Papers of which the choice is one: those spoken of before, or the shelf."""
    there = r"(?:these|those|them|the (?:results|list|candidates|rest|ones (?:above|listed|shown|you (?:found|showed))))(?:\s+(?:two|three|four|five|[0-9]{1,2}))?"
    if choice.take(
        rf"\b(?:(?:which|what|any|some|one|all|only|just|and|how\s+many|show\s+me|\bout)\s+)?(?:of|among|amongst|from|in|within|out of|for)\s+{there}(?:\s+(?:papers|results|ones))?\b"
    ):
        choice.onward = True
    if choice.take(
        r"\b(?:only|just|keep(?:\s+only)?|narrow(?:\s+(?:it|them|this|that))?(?:\s+down)?\s+to|restrict(?:\s+(?:it|them|that))?\s+to|limit(?:\s+(?:it|them|that))?\s+to|filter(?:\s+(?:it|them|that|by|for|to|on|down))*)\s+(?:the\s+)?(?:ones?|those|papers)?(?:\s+(?:that|which|who)(?:\s+(?:are|were|is|have\s+been))?)?"
    ):
        choice.onward = choice.scene.candidates is not None
    if choice.take(
        r"\b(?:drop|remove|exclude|leave\s+out|without|throw\s+out|get\s+rid\s+of|discard|hide|skip)\s+(?:all\s+|any\s+)?(?:the\s+|of\s+the\s+)?(?:ones|those|papers)\s+(?:(?:that\s+are\s+)?(?:about|on|by|from|mentioning|dealing\s+with)\s+)(?=.)"
    ) or choice.take(
        r"^\s*(?:drop|remove|exclude|leave\s+out|throw\s+out|get\s+rid\s+of|discard|hide)\s+(?:all\s+|any\s+|the\s+|everything\s+)*(?:(?:about|on|related\s+to)\s+)?"
    ):
        choice.onward = choice.scene.candidates is not None
        choice.text = f"not about {choice.text.strip()}"


def _numbers(choice: Choice) -> None:
    """How many are to be shown."""
    if match := choice.take(
        rf"\b(?:the\s+)?(?:top|best|first)\s+(?P<n>{NUMBER})\b|\b(?P<m>{NUMBER})\s+(?=(?:most|best|newest|latest|oldest|top|recent|highly)\b)|^\s*(?:(?:show|give|list|find|get|name|suggest|recommend)\s+(?:me\s+)?)(?P<k>{NUMBER})\s+(?=\w)"
    ):
        number = number_of((match["n"] or match["m"] or match["k"]).lower())
        choice.limit = max(1, min(number, MOST_SHOWN))
        if (
            match["n"]
            and re.match(r"\s*(?:top|best)", match[0].replace("the", "", 1).strip(), re.I)
            and not choice.order
        ):
            choice.order = "citations" if "top" in match[0].lower() else ""


_TAG_WORD = r"[\"']?(?P<tag>[\w./:+-]+(?:[ -](?!papers|and|or|but|since|from|with)[\w./+-]+)?)[\"']?"


def _tags(choice: Choice) -> None:
    known = {tag.casefold(): tag for tag in choice.scene.tags}
    while match := choice.take(
        r"\b(?:that\s+(?:are|i|have)\s+|which\s+are\s+|i(?:'ve| have)?\s+)?(?:tagged|labell?ed|filed)\s+(?:as\s+|with\s+|under\s+)?(?:the\s+(?:tag|label)\s+)?[\"']?(?P<tag>[\w./:+-]+)[\"']?(?:\s+or\s+[\"']?(?P<more>[\w./:+-]+)[\"']?)?|\b(?:with|under|having|carrying|in)\s+(?:the\s+|my\s+)?(?:tag|label)s?\s+[\"']?(?P<tag2>[\w./:+-]+)[\"']?|\b(?:with|under|having|in)\s+(?:the\s+|my\s+)?[\"']?(?P<tag3>[\w./:+-]+)[\"']?\s+(?:tag|label)\b"
    ):
        choice.add("tags", *(tag for tag in (match["tag"], match["more"], match["tag2"], match["tag3"]) if tag))
    for folded, tag in known.items():
        pattern = rf"\bmy\s+[\"']?{re.escape(folded)}[\"']?(?=\s+(?:papers?|articles?|pile|list|collection|folder|ones|stuff))"
        if choice.take(pattern):
            choice.add("tags", tag)


_STATES: tuple[tuple[str, str, object], ...] = (
    ("saved", r"\b(?:that\s+)?(?:are\s+|is\s+)?(?:not|aren't|isn't)\s+(?:(?:yet|already)\s+)?(?:on|in)\s+my\s+(?:shelf|collection)(?:\s+yet)?|\b(?:that\s+)?i\s+(?:have\s+not|haven't|did\s+not|didn't)\s+(?:yet\s+)?saved?(?:\s+yet)?|\bnot\s+(?:yet\s+)?saved(?:\s+yet)?|\bunsaved\b", False),
    ("read", r"\b(?:that\s+|which\s+)?(?:i\s+)?(?:have\s+not|haven't|havent|did\s+not|didn't|not|never)\s+(?:yet\s+|been\s+)?read(?:\s+yet)?\b|\bunread\b|\b(?:still|yet)\s+to\s+(?:be\s+)?read\b|\b(?:that\s+)?i\s+still\s+(?:have|need)\s+to\s+read\b", False),
    ("read", r"\b(?:that\s+|which\s+)?(?:i\s+have|i've|i)\s+(?:already\s+)?read(?:\s+already)?\b|\b(?:already|marked\s+(?:as\s+)?)\s*read\b|\bread\s+(?=papers|ones|articles)|\bfinished\s+reading\b", True),
    ("rating", r"\b(?:that\s+|which\s+)?i\s+(?:dis|don't\s+|did\s*n[o']t\s+)liked?\b|\bdisliked\b", -1),
    ("rating", r"\b(?:that\s+|which\s+)?i(?:'ve|\s+have)?\s+(?:really\s+)?(?:liked?|loved)\b(?!\s+(?:to|a|the))|\b(?:liked|favou?rited?)\s+(?=papers|ones|articles)|\bmy\s+favou?rites?\b(?:\s+papers)?", 1),
    ("noted", r"\bwithout\s+(?:any\s+|a\s+)?(?:notes?|annotations?)\b|\b(?:i\s+have\s+)?no\s+notes?\s+(?:on|about)\b", False),
    ("noted", r"\b(?:that\s+(?:have|has)|with|having|carrying)\s+(?:a\s+|my\s+)?(?:notes?|annotations?)(?:\s+of\s+mine)?\b|\b(?:that\s+)?i\s+(?:have\s+|'ve\s+)?(?:wrote|written|made|took|taken|have|put)?\s*(?:a\s+)?notes?\s+(?:on|about|for|to)\b|\bannotated\b|\b(?:that\s+)?i\s+(?:have\s+)?noted\b", True),
    ("has_abstract", r"\b(?:without|lacking|missing|(?:that\s+)?(?:have|has)\s+no|with\s+no)\s+(?:an?\s+)?(?:known\s+)?abstracts?\b", False),
    ("has_abstract", r"\b(?:with|having|that\s+have|that\s+has)\s+(?:an?\s+)?abstracts?\b", True),
    ("retracted", r"\b(?:that\s+(?:are|is|were|was|have\s+been|has\s+been)\s+)?not\s+retracted\b", False),
    ("retracted", r"\b(?:that\s+(?:are|is|were|was|have\s+been|has\s+been)\s+)?retracted\b", True),
    ("open_access", r"\b(?:(?:that\s+are\s+)?not|no)\s+(?:open[\s-]access|free(?:\s+to\s+read)?)\b|\bwithout\s+(?:an?\s+)?(?:open\s+access\s+)?pdf\b|\bpaywalled\b", False),
    ("open_access", r"\b(?:that\s+(?:are|is|have|has)\s+|with\s+(?:an?\s+)?)?(?:open[\s-]access|free(?:ly)?\s+(?:to\s+read|available|accessible)|(?:free\s+)?pdfs?(?:\s+available)?)\b(?:\s+(?:version|copy|copies|only))?", True),
    ("saved", r"\b(?:(?:that\s+)?(?:are\s+)?(?:on|in|from|of)\s+my\s+(?:own\s+)?(?:shelf|shelves|collection|saved\s+papers|bookshelf|reading\s+list))\b|\b(?:that\s+)?i(?:'ve|\s+have)?\s+(?:already\s+)?(?:saved|kept|bookmarked|shelved)\b|\bmy\s+saved\b|\bsaved\s+(?=papers|ones|articles)|\bmy\s+(?:shelf|bookmarks)\b|\b(?:already\s+)?saved\b", True),
)  # fmt: skip


def _states(choice: Choice) -> None:
    for name, pattern, value in _STATES:
        if name not in choice.conditions and choice.take(pattern):
            choice.conditions[name] = value


_SCOPES = r"\b(?:(?:that\s+)?(?:are\s+)?(?:in|from|of|within|across)\s+(?:my\s+|the\s+|our\s+)?(?:whole\s+|entire\s+)?library|in\s+(?:my|the)\s+database|(?:that\s+)?i\s+have(?:\s+here)?|do\s+i\s+have|(?:are|is)\s+there|have\s+i\s+got|you\s+know(?:\s+of)?|you\s+have|(?:ever\s+)?found|known\s+here)\b"
_KINDS = (
    (r"\b(?:pre-?prints?)\b", "types", "preprint"),
    (r"\b(?:conference|proceedings)\s+(?:papers?|articles?)\b", "types", "conference-paper"),
    (r"\bjournal\s+(?:papers?|articles?)\b", "types", "article"),
    (r"\bbooks?\b(?!\s+chapters?)", "types", "book"),
    (r"\b(?:book\s+)?chapters?\b", "types", "chapter"),
    (r"\b(?:phd\s+|doctoral\s+|master'?s?\s+)?(?:theses|thesis|dissertations?)\b", "types", "thesis"),
    (r"\b(?:technical\s+|tech\s+)?reports?\b(?=\s*(?:$|[,.?!]|on\b|about\b|from\b|since\b|by\b|in\b|with\b|before\b|after\b))", "types", "report"),
    (r"\bdata\s?sets?\b(?=\s*(?:$|[,.?!]|on\b|about\b|since\b))", "types", "dataset"),
)  # fmt: skip
_SURVEYS = r"\b(?:literature\s+)?(?:surveys?|reviews?|overviews?|review\s+(?:papers?|articles?)|survey\s+(?:papers?|articles?))\b(?=\s*(?:$|[,.?!]|papers?\b|articles?\b|on\b|of\b|about\b|from\b|since\b|by\b|in\b|with\b|before\b|after\b))"


def _kinds(choice: Choice) -> None:
    negated = choice.take(
        rf"\b(?:no|not|without|excluding|except(?:\s+for)?|but\s+no|other\s+than)\s+(?:a\s+|any\s+)?(?:{_SURVEYS})"
    )
    if negated:
        choice.add("without", "survey", "review")
    elif choice.take(_SURVEYS):
        choice.add("any_words", "survey", "review", "overview")
    choice.take(r"\btype\s+(?:is\s+|of\s+)?(?=preprint|article|book|conference|report|thesis)")
    for pattern, name, value in _KINDS:
        if choice.take(pattern):
            choice.add(name, value)


def _citations(choice: Choice) -> None:
    count = r"(?P<n>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(?P<k>k\b)?"

    def number(match: re.Match[str], name: str = "n") -> int:
        return int(match[name].replace(",", "")) * (1000 if name == "n" and match["k"] else 1)

    if match := choice.take(
        rf"\b(?:with\s+|having\s+|cited\s+)?between\s+{count}\s+and\s+(?P<m>[0-9][0-9,]*)\s+(?:citations?|times|cites)\b|\b(?:with\s+)?{count.replace('<n>', '<n2>').replace('<k>', '<k2>')}\s*(?:-|to)\s*(?P<m2>[0-9][0-9,]*)\s+citations?\b"
    ):
        first = match["n"] or match["n2"]
        last = match["m"] or match["m2"]
        choice.conditions |= {"min_citations": int(first.replace(",", "")), "max_citations": int(last.replace(",", ""))}
        return
    fewer = r"(?:(?:(?:that|which)\s+(?:have|has|are|were)\s+|with\s+|having\s+)?(?:been\s+)?(?:cited\s+)?)"
    if match := choice.take(
        rf"\b{fewer}(?P<than>fewer\s+than|less\s+than|under|below|<)\s*{count}\s*(?:citations?|cites|times)"
    ):
        choice.conditions["max_citations"] = max(number(match) - 1, 0)
    elif match := choice.take(
        rf"\b{fewer}(?:at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|maximum(?:\s+of)?|max\.?|<=|≤)\s*{count}\s*(?:citations?|cites|times)"
    ):
        choice.conditions["max_citations"] = number(match)
    elif choice.take(
        r"\b(?:that\s+(?:were|are|have\s+been)\s+)?(?:never|not\s+yet|un)\s*-?cited(?:\s+yet)?\b|\b(?:with\s+)?(?:no|zero|0)\s+citations?\b"
    ):
        choice.conditions["max_citations"] = 0
    if match := choice.take(
        rf"\b(?:(?:that|which|and)\s+)?(?:have\s+|has\s+|having\s+|with\s+|cited\s+|got\s+|are\s+)*(?P<more>more\s+than|over|above|>|at\s+least|>=|≥|min(?:imum)?\.?(?:\s+of)?|no\s+fewer\s+than|no\s+less\s+than)\s*{count}\s*(?:\+\s*)?(?:citations?|cites|times|cited)\b|\b(?:with\s+|having\s+|cited\s+)?{count.replace('<n>', '<n2>').replace('<k>', '<k2>')}\s*(?:\+|or\s+more|plus)\s*(?:citations?|cites|times)\b(?:\s+or\s+more)?"
    ):
        given = match["n"] or match["n2"]
        thousand = 1000 if (match["k"] or match["k2"]) else 1
        least = int(given.replace(",", "")) * thousand
        strictly = bool(match["more"]) and re.match(r"more|over|above|>(?!=)", match["more"], re.I) is not None
        choice.conditions["min_citations"] = least + strictly


def _titles(choice: Choice) -> None:
    quoted = r"(?:[\"'](?P<q>[^\"']{2,100})[\"']|(?P<w>[\w-]+(?:\s+(?!in\b)[\w-]+){0,3}?))"
    words = r"(?:words?|terms?|phrase)\s+"
    if match := choice.take(
        rf"\b(?:with|having|containing|that\s+have|that\s+(?:contain|mention)|have|has|contain(?:s|ing)?|mention(?:s|ing)?)\s+(?:the\s+)?(?:{words})?{quoted}\s+in\s+(?:the(?:ir)?|its)\s+titles?\b"
    ):
        choice.add("title_words", match["q"] or match["w"])
    elif match := choice.take(
        rf"\b(?:whose|where\s+the|with\s+(?:a\s+|the\s+)?|in\s+the|having\s+(?:a\s+)?)?\s*titles?\s+(?:(?:that\s+|which\s+)?(?:contain(?:s|ing)?|mention(?:s|ing)?|has|have|having|say(?:s|ing)?|with|including|includes?))\s+(?:the\s+)?(?:{words})?[\"']?(?P<t>[\w-]+(?:\s+[\w-]+){{0,3}}?)[\"']?{_END}"
    ):
        choice.add("title_words", match["t"])


_SORT = r"(?:sort(?:ed)?|rank(?:ed)?|order(?:ed)?|arrange(?:d)?|re-?order(?:ed)?|re-?rank(?:ed)?|put)(?:\s+(?:them|these|those|it|all|the\s+(?:list|results|papers)|by|on|in|according\s+to|descending|with))*\s*"
_ORDERS = (
    ("citations", rf"\b{_SORT}(?:the\s+)?(?:number\s+of\s+)?(?:citations?(?:\s+counts?)?|popularity|impact|influence|how\s+often\s+(?:they\s+(?:are|were)|it\s+is)\s+cited)\b|\bby\s+(?:number\s+of\s+)?(?:citations?(?:\s+counts?)?|popularity|impact)\b(?:\s+first)?|\b(?:the\s+)?(?:most|highest|highly|best|heavily|widely|top|more)[\s-]*(?:cited|citations?|influential|popular|famous)\b(?:\s+(?:first|ones?|at\s+the\s+top))?"),
    ("oldest", rf"\b{_SORT}(?:age|oldest)\b(?:\s+first)?|\b(?:the\s+)?(?:oldest|earliest)\b(?:\s+(?:first|ones?|to\s+newest))?|\bchronological(?:ly)?(?:\s+order)?\b|\bold(?:er)?\s+first\b"),
    ("newest", rf"\b{_SORT}(?:date|year|recency|newest|publication\s+(?:date|year)|most\s+recent|latest)\b(?:\s+(?:first|descending))?|\bby\s+(?:publication\s+)?(?:date|year|recency)\b|\b(?:the\s+)?(?:newest|latest|most\s+recent(?:ly\s+published)?|freshest|youngest)\b(?:\s+(?:first|ones?|work|to\s+oldest))?|\brecent\s+(?:ones\s+)?first\b|\bnewer\s+first\b"),
    ("title", rf"\b{_SORT}(?:the\s+)?titles?\b|\balphabetical(?:ly)?(?:\s+order)?\b|\bby\s+titles?\b|\ba\s*(?:-|to)\s*z\b"),
    ("preference", rf"\b{_SORT}(?:my\s+)?(?:taste|preferences?|interests?|what\s+i\s+(?:like|would\s+like))\b|\b(?:that\s+|which\s+|would\s+|will\s+|do\s+|does\s+)*(?:best\s+)?(?:suits?|fits?|match(?:es)?|interests?|is\s+for|are\s+for)\s+(?:me|my\s+(?:taste|interests?|profile))(?:\s+(?:the\s+)?(?:best|most))?\b|\b(?:the\s+)?best\s+(?:one\s+)?for\s+me\b|\bby\s+(?:my\s+)?(?:taste|preference|interests?)\b|\b(?:that\s+)?i\s+(?:would|might|'d|may|should|will)\s+(?:probably\s+)?(?:like|enjoy|prefer|read(?:\s+first)?)(?:\s+(?:the\s+)?(?:best|most))?\b|\b(?:right|good|relevant|interesting)\s+for\s+me\b|\bto\s+my\s+(?:taste|liking)\b|\bbased\s+on\s+my\s+(?:taste|preferences?|history|profile|interests?)\b|\bpersonali[sz]ed?\b"),
)  # fmt: skip


def _orders(choice: Choice) -> None:
    if match := choice.take(
        rf"\b(?:{_SORT}(?:relevance|similarity|closeness|nearness)\s+(?:to|for|with)|(?:the\s+)?(?:most|more)\s+(?:relevant|related|similar|close)\s+(?:ones?\s+)?(?:to|for)|(?:the\s+)?(?:nearest|closest)\s+(?:ones?\s+)?to)\s+(?!me\b)(?P<to>.+?)(?:\s+first)?{_END}|\b{_SORT}how\s+(?:much|well|far)\s+(?:they|these|those)\s+(?:are\s+about|deal\s+with|have\s+to\s+do\s+with|resemble|match)\s+(?P<to2>.+?){_END}"
    ):
        to = match["to"] or match["to2"]
        names = _papers_in(to, choice.scene)
        choice.order = "similarity" if names else "relevance"
        choice.prefer, choice.order_words = (list(names), "") if names else ([], topic_of(to) or to)
        return
    for name, pattern in _ORDERS:
        if choice.take(pattern):
            choice.order = name
            break
    if match := choice.take(
        r"\b(?:i(?:'d|\s+would)?\s+)?(?:prefer|favou?r|rather\s+(?:have|see)?)\s+(?P<a>.+?)(?:\s+(?:over|to|than|rather\s+than|instead\s+of)\s+(?P<b>.+?))?(?=\s*$|[.?!;])"
    ):
        first, second = match["a"], match["b"]
        choice.order = "preference"
        choice.prefer = list(_papers_in(first, choice.scene))
        choice.unwanted = list(_papers_in(second, choice.scene)) if second else []
        choice.order_words = "" if choice.prefer else topic_of(first) or first


def _papers_in(text: str, scene: Scene) -> tuple[str, ...]:
    """The papers that `text` names, if it names any."""
    text = text.strip(" .?!,;")
    if pointed_at(plain(text).lower(), scene).names or re.search(r"[\"“][^\"”]{3,}[\"”]", text):
        return names_in(text, scene)
    bare = bare_name(text)
    if scene.is_title(bare) or scene.is_title(text) or _looks_like_a_name(bare):
        return names_in(text, scene)
    parts = re.split(r"\s*(?:,|\band\b|\bor\b|&)\s*", bare)
    if len(parts) > 1 and all(
        scene.is_title(bare_name(part)) or _looks_like_a_name(bare_name(part)) for part in parts if part
    ):
        return names_in(text, scene)
    return ()


def _looks_like_a_name(text: str) -> bool:
    """`SPAR`, `Query2doc`, `ColBERTv2`, `doi:10.…`: no word of ordinary prose."""
    if re.fullmatch(
        r"(?:doi:)?10\.[0-9]{4,}/\S+|(?:arxiv:)?[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|pmid:\s*[0-9]+", text, re.I
    ):
        return True
    return len(text.split()) == 1 and re.search(r"[a-z][A-Z]|[A-Za-z][0-9]+[A-Za-z]|[A-Z]{2,}[a-z]", text) is not None


def _soft(choice: Choice) -> None:
    """What papers should be like, and unlike."""
    unlike = r"(?:unlike|(?:but\s+)?(?:not|nothing|none)\s+(?:like|similar\s+to)|dissimilar\s+to|different\s+from|far\s+from)"
    if match := choice.take(rf"\b{unlike}\s+(?P<np>.+?){_END}"):
        names = _papers_in(match["np"], choice.scene)
        if names:
            choice.unlike += names
        else:
            choice.add("without", _phrase(match["np"]))
    like = r"(?:(?:more\s+)?(?:papers?|articles?|work|something|anything|things|others?|stuff|ones?)\s+)?(?:(?:that\s+(?:are|is)|which\s+are)\s+)?(?:(?:quite|very|most|really)\s+)?(?:like|similar\s+(?:to|in\s+spirit\s+to)|resembl(?:es?|ing)|akin\s+to|alike|along\s+the\s+lines\s+of|in\s+the\s+(?:spirit|vein|style)\s+of|close\s+to|near\s+to|comparable\s+to|related\s+to|of\s+the\s+same\s+kind\s+as)"
    if match := choice.take(rf"\b{like}\s+(?P<np>.+?){_END}"):
        names = _papers_in(match["np"], choice.scene)
        if names:
            choice.like += names
        elif "like" in match[0] and not choice.scene.is_title(match["np"]) and match["np"][:1].isupper():
            choice.like.append(bare_name(match["np"]))
        else:
            choice.text = f"{choice.text} about {match['np']}"
    if match := choice.take(
        r"\bmore\s+(?:of\s+(?:the\s+same|this|that|these|those)|like\s+(?:this|that|these|those|it))\b"
    ):
        choice.like.append("@shown" if re.search(r"these|those|same", match[0]) else "@it")


def _without(choice: Choice) -> None:
    cue = r"(?:(?:and|but)\s+)?(?:(?:that\s+|which\s+)?(?:(?:do|does|are|is)\s*(?:not|n't)|don't|aren't|isn't|doesn't|not|never|nothing|none|no|without|excluding|exclude|except(?:\s+for)?|other\s+than|apart\s+from|minus|avoiding|skip(?:ping)?|leaving\s+out|leave\s+out|rather\s+than|instead\s+of))"
    on = r"(?:\s+(?:the\s+ones?|those|papers?|articles?|anything|any|ones))?(?:\s+(?:that\s+)?(?:are\s+)?(?:about|on|mention(?:ing)?|concern(?:ing)?|deal(?:ing)?\s+with|related\s+to|involv(?:e|ing)|us(?:e|ing)|involving|in\s+the\s+area\s+of|covering|speak(?:ing)?\s+of|talk(?:ing)?\s+about|focus(?:ed|ing)?\s+on))?"
    while match := choice.take(rf"\b{cue}{on}\s+(?!read\b|saved\b|open\b)(?P<np>[\w\"'“][^,;.?!]*?){_END}"):
        phrase = match["np"].strip(" \"'“”")
        names = _papers_in(phrase, choice.scene) if choice.scene.is_title(phrase) else ()
        if names:
            choice.unlike += names
            continue
        for part in re.split(r"\s*(?:,|\bor\b|\bnor\b)\s*", phrase):
            if part.strip():
                choice.add("without", _phrase(part))


def _phrase(text: str) -> str:
    text = text.strip(" \"'“”.?!,")
    return topic_of(text) or text


def _bounds(choice: Choice) -> None:
    """Dates, venues, authors: as questions to the sources say them, and by the names that the library knows."""
    scene = choice.scene
    for pattern, value in (
        (
            r"\b(?:from|in|of)\s+the\s+(?:nineteen[\s-])?(?P<d>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b",
            "decade",
        ),
    ):
        if match := choice.take(pattern):
            first = 1920 + 10 * "twenties thirties forties fifties sixties seventies eighties nineties".split().index(
                match["d"].lower()
            )
            choice.conditions |= {"since": str(first), "until": str(first + 9)}
            del value
    text = plain(choice.text)
    limits = read_conditions(text)
    text = blanked(text, limits.spans)
    if limits.min_citations is not None:
        choice.conditions["min_citations"] = limits.min_citations
    if limits.open_access:
        choice.conditions["open_access"] = True
    venue = read_venue(text, scene.today)
    if venue.name:
        choice.add("venues", venue.name)
        text = blanked(text, venue.spans)
    authors = read_author_names(text)
    text = blanked(text, authors.spans)
    choice.text = text
    if authors.names:
        choice.add("authors", *authors.names)
    _known_names(choice)
    dates = read_dates(choice.text, scene.today)
    bounds = dates.bounds
    if venue.year is not None:
        bounds = bounds._replace(since=venue.year.first, until=venue.year.last)
    if bounds.since:
        choice.conditions["since"] = _day(bounds.since.isoformat(), "-01-01")
    if bounds.until:
        choice.conditions["until"] = _day(bounds.until.isoformat(), "-12-31")
    if dates.recent and not (bounds.since or bounds.until):
        choice.conditions["since"] = str(scene.today.year - 3)
    choice.text = without(choice.text, dates.spans)


def _day(day: str, whole_year: str) -> str:
    """A day, or its year where that says the same."""
    return day.removesuffix(whole_year)


def _known_names(choice: Choice) -> None:
    """Authors and venues that the library knows, however they are written."""
    scene = choice.scene
    name = r"[\w.'-]+(?:\s+(?!and\b|or\b|since\b|from\b|in\b|before\b|after\b|on\b|about\b|with\b|that\b|papers?\b)[\w.'-]+){0,2}"
    if match := re.search(
        rf"\b(?:written\s+|authored\s+|co-?authored\s+|published\s+)?by\s+(?P<names>{name}(?:\s*(?:,|and|&)\s*{name})*)",
        choice.text,
        re.I,
    ):
        names = [one for one in re.split(r"\s*(?:,|\band\b|&)\s*", match["names"]) if one]
        if names and all(scene.is_author(one) for one in names):
            choice.add("authors", *names)
            choice.text = f"{choice.text[: match.start()]} {choice.text[match.end() :]}"
    if match := re.search(
        r"\b(?P<name>[\w'-]+)(?:'s)?\s+(?=(?:papers?|articles?|work|publications)\b)", choice.text, re.I
    ):
        one = match["name"].removesuffix("'s")
        if "authors" not in choice.conditions and len(one) > 3 and scene.is_author(one) and not scene.is_title(one):
            choice.add("authors", one)
            choice.text = f"{choice.text[: match.start()]} {choice.text[match.end() :]}"
    for pattern in (
        r"\b(?:published\s+|appeared\s+)?(?:in|at|from)\s+(?:the\s+)?(?:journal\s+)?[\"']?(?P<name>[\w&.'-]+(?:\s+(?!since|from|before|after|on|about|with|that|by|between)[\w&.'-]+){0,6})",
        r"\b(?P<name>[\w-]+)\s+(?=papers?\b|articles?\b)",
    ):
        for match in re.finditer(pattern, choice.text, re.I):
            words = match["name"].split()
            for size in range(len(words), 0, -1):
                one = " ".join(words[:size]).strip("\"'")
                if scene.is_venue(one):
                    choice.add("venues", one)
                    start = match.start()
                    choice.text = (
                        f"{choice.text[:start]} {choice.text[match.start('name') + len(' '.join(words[:size])) :]}"
                    )
                    return


_PARTS = re.compile(
    r"\s+(?:and|or|for|in|with|using|of|on|from|to|by|via|through|under|within|across|between|about|at|into|as)\s+|\s*[,;]\s*",
    re.I,
)
_HOLLOW = frozenset("papers paper articles article work works publications ones one anything something everything any all some stuff things thing list show me the a an that which are is was were be been to do does did and or of on in about by for from with at as my your our there here please pls else only just also have has had i we you it its they them these those this also too much many most more how what where when who published written related concerning regarding dealing mention mentioning mentions topic topics subject area field papers' again still yet newest oldest latest recent first top good best great nice interesting relevant find give get need want looking search kind sort appeared released".split())  # fmt: skip


def _topic(choice: Choice) -> None:
    """What is left: the subject, as phrases that must all stand in a paper."""
    text = re.sub(_SCOPES, " ", plain(choice.text), flags=re.I)
    quoted = re.findall(r"\"([^\"]{2,100})\"", text)
    text = re.sub(r"\"[^\"]*\"", " ", text)
    phrases = list(quoted)
    for part in _PARTS.split(topic_of(text.strip(" .?!,;"))):
        words = [word for word in re.findall(r"[\w][\w.'+#-]*", part)]
        while words and words[0].lower().strip(".'") in _HOLLOW:
            words.pop(0)
        while words and words[-1].lower().strip(".'") in _HOLLOW:
            words.pop()
        if words:
            phrases.append(" ".join(words).strip(".'"))
    if phrases:
        choice.add("words", *phrases)


_READERS: tuple[Callable[[Choice], None], ...] = (
    _scope, _numbers, _titles, _tags, _states, _citations, _orders, _soft, _kinds, _without, _bounds, _topic,
)  # fmt: skip
