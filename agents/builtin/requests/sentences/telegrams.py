"""A form or a telegram as a sentence: "Venue: SIGIR only. Period: 1996 to 2001" is "in SIGIR only, from 1996 to 2001".

What is to be kept or to go, in the passive or with the verb at its end, is put as it is asked for mostly."""

import re

from agents.builtin.requests.sentences.rewriting import rewritten
from agents.builtin.requests.sentences.roundabout import ROUNDABOUT

_YEAR = r"(?:19|20)\d\d"
_BOUND = r"(?:since|from|before|after|between|until|not|no|later|earlier|at|up|in|within|during|newer|older|prior|by)\b"
_PUBLISHED = r"(?:publication |pub\.? )?(?:years?|yrs?\.?|dates?|periods?|time ?span|months?|published|publication)"
_LIMITED = (
    r"(?:further(?:more)? |additional(?:ly)? |both |all |two |my |display |records? |results? |entries |papers? "
    r"|articles |list )*"
    r"(?:limited|restricted|restrictions?|limitations?|limits?|narrowed(?: down)?|filter(?:ed)?|filters|criteri(?:a|on)"
    r"|conditions?|requirements?|constraints?)(?: to| by| for)?(?: at once| together| both)?"
)
_WISH = r"(?:wanted|requested|sought|desired|looking for|needed|required|request|task|to show|continue(?: the list)?)"
_LABELS = (
    (rf"{_LIMITED} ?:", "only"),
    (r"(?:not wanted|unwanted|to be excluded|excluded?|excluding|exclusions?|without|minus) ?:", "without"),
    (rf"{_WISH} ?:", ""),
    (r"(?:publication )?(?:venue|journal|conference|published in|appeared in) ?:", "in"),
    (r"(?:authors?(?: criterion)?|written by|by) ?:", "by"),
    (r"(?:with )?(?:tags?|tagged|labels?) ?:", "tagged"),
    (r"(?:topic|subject|about|theme|field|area|subject matter) ?:", "papers about"),
    (rf"{_PUBLISHED} ?: ?(?={_BOUND})", "published "),
    (rf"{_PUBLISHED} ?:", "published from"),
    (r"(?:document |publication |paper )?(?:type|kind) ?:", "of the type"),
    (r"(?:sort(?:ed)?|order(?:ed)?|ordering|ranking|sorting|ranked)(?: by)? ?:", "sorted by"),
    (r"(?:citation counts?|citations|number of citations|cited|times cited) ?:(?= )", "citations"),
    (r"titles? (?:containing|contains|contain|includes|including|with|has|must contain) ?:", "title containing"),
)
_KINDS = r"(?:reports?|thes[ie]s|books?|reviews?|articles?|preprints?|chapters?|datasets?|conference papers?|surveys?)"
_FIRST_LABEL = re.compile(rf"(?:{'|'.join(label for label, _ in _LABELS)})", re.IGNORECASE)
_NEXT_LABEL = re.compile(rf"\s*[.;,]\s+(?=(?:and |but )?(?:{'|'.join(label for label, _ in _LABELS)}))", re.IGNORECASE)
_AT_A_LABEL = tuple(
    (re.compile(rf"(?:^|(?<=, ))(?:and |but )?{label}\s*", re.IGNORECASE), f"{said} " if said else "")
    for label, said in _LABELS
)
_REFERENCE = re.compile(
    r"^(?:reference|seed|source|example|starting|base|given)(?: papers?| articles?)? ?: ?(?P<name>[^;]{2,300}?)[.;] +"
    r"(?:wanted|sought|requested|looking for|task|request) ?: ?(?:any |some |more |all |the )*"
    r"(?:[\w ]{2,40}? )??(?:that |which )?(?:is |are )?(?:resembl\w+|similar|like|close|akin|related|comparable)"
    r"(?: to)?(?: it| them| that| those| these| this)?(?: one| papers?)?(?P<rest>[,;] .*)?[.!? ]*$",
    re.IGNORECASE,
)
_INCLUDED = re.compile(
    rf"[ ,]*\(?\b(?:(?:both|these|those|the) (?:years?|ends?|bounds?|limits|dates|days)|(?:this|that|the said) year"
    rf"|(?:also )?{_YEAR}|both|ends?)(?: itself| too| also)?(?: is| are| being| to be)?(?: itself| too| also)?"
    r" (?:included|inclusive|incl\b\.?|including|counts?(?: too| as well)?)\)?",
    re.IGNORECASE,
)
_INCLUSIVE = re.compile(
    rf"(?P<year>{_YEAR}(?: onwards?| on| or later)?),? \(?(?:inclusive|inclusively|included|incl\.?)\)?(?=[ ,;.)]|$)",
    re.IGNORECASE,
)
_ITSELF_NOT = r",? \(?(?P=year)(?: itself)?(?: is| being)? (?:excluded|exclusive|not included|excl\b\.?)\)?"
_EXCLUSIVE = (
    (re.compile(rf"(?P<bound>\b(?:than|before|after|prior to) (?P<year>{_YEAR})){_ITSELF_NOT}", re.I), r"\g<bound>"),
    (re.compile(rf"\b(?:since|from) (?P<year>{_YEAR})(?: onwards?| on)?{_ITSELF_NOT}", re.I), r"after \g<year>"),
    (re.compile(rf"\b(?:until|till|up to|through|to) (?P<year>{_YEAR}){_ITSELF_NOT}", re.I), r"before \g<year>"),
)
_SIGN = re.compile(
    rf"\b(?:publication |pub\.? )?(?:years?|yrs?\.?|dates?|published|from)(?: is)? ?(?P<sign>>=|≥|=>|<=|≤|=<|!="
    rf"|≠|<>|==|=|>|<) ?"
    rf"(?P<year>{_YEAR})\b",
    re.IGNORECASE,
)
_SAID = {">=": "since", "≥": "since", "=>": "since", "<=": "until", "≤": "until", "=<": "until", "!=": "not from",
         "≠": "not from", "<>": "not from", "==": "from", "=": "from", ">": "after", "<": "before"}  # fmt: skip
_ARE = r"(?:is|are|was|were)"
_ASKED_FOR = re.compile(
    rf"(?:,? (?:that )?{_ARE} (?:kindly )?(?:requested|wanted|sought(?: for)?|needed|desired|required|asked for"
    rf"|of interest"
    r"|searched(?: for)?|to be (?:shown|listed|displayed|found|given))"
    r"|,? (?:should|shall|must|may|can|could)(?: please| kindly)? be (?:shown|displayed|listed|given|presented|found)"
    r"(?: to me)?|[,.;] (?:everything|all|anything|whatever) that (?:fits|matches|applies)"
    r"|[,.;] can (?:you|u) (?:list|show|find|get|name) (?:them|em|'em|those)"
    r"|(?<=[\w'\")])(?<!did)(?<!do)(?<!should)(?<!have)(?<!can)(?<!could) i (?:search|seek|look for|am searching"
    r"|am seeking"
    r"|am looking for))(?=[,.;?! ]*$|[,;] (?:but|however|though|only|and|anything|those|neural|with|without)\b)",
    re.IGNORECASE,
)
_NOT_BEHIND = re.compile(
    r"(?:[,;](?: and| but)?|\band\b|\bbut\b) (?!(?:or|if|and|but|why|maybe|perhaps|certainly|i|do|did|and|is|are"
    r"|the rest|the others|others)\b)"
    r"(?P<what>[^,;.?!]{2,60}?),? (?:(?:however|please|though|rather|but) )+not(?: please| though)?[.! ]*$",
    re.IGNORECASE,
)
_BEFORE_PAPERS = re.compile(
    r"^(?P<which>(?:from|of|by|in|with|since|on|about|at) (?!(?:which|what|whom|whose|how|these|those|them|all"
    r"|the (?:papers|ones"
    r"|list|library))\b)[^,;:?]{2,60}?) (?:the|all|those) (?P<papers>papers|articles|works|preprints)\b(?! (?:i"
    r"|that|which)\b)",
    re.IGNORECASE,
)
_OUT = (
    r"(?:excluded|removed|left out|dropped|omitted|discarded|hidden|taken out|thrown out|filtered out|disregarded"
    r"|ignored|left aside|kicked out|weeded out|cut)"
)
_THEY_GO = (
    rf"(?:(?:should|must|can|may|shall|could|ought to|(?:is|are|has|have) to)(?: please| all| also| now| just)*"
    rf" (?:be {_OUT}|go|leave|disappear)(?: too| as well| please)*"
    r"(?: (?:from|of) (?:the|this|that) (?:list|results|selection|set))?"
    r"|(?:do not|does not|don't|doesn't) (?:count|matter|interest me)(?: here)?"
    r"|(?:is|are) (?:no|of no) use(?: to me)?(?:, so out with (?:them|it))?|(?:is|are) out)"
)
_GO = re.compile(
    rf"(?P<before>^|[.;:,] (?:and |but )?)(?P<what>(?!(?:which|what|how|i|it|this|that|these|those|they|you"
    rf"|the (?:last|first)"
    rf"|and the (?:rest|others)|who|where|if|only|[\w ]{{0,40}}\bshelf)\b)[^,;:.?!]{{3,80}}?),? {_THEY_GO}"
    r"(?:,? (?:though|please))?(?=[.!, ]*$|[.;] )",
    re.IGNORECASE,
)
_OTHERS = (
    r"(?:(?:the|teh) )?(?:others|rest|remainder|other (?:ones|papers|two|three|four)|remaining (?:ones|papers)"
    r"|everything else|all else)"
)
_AWAY = (
    r"(?:drop|ditch|forget|ignore|remove|skip|discard|delete|hide|lose|omit|chuck(?: out)?|leave out|throw (?:out|away)"
    r"|get rid of|kick out|take (?:away|out)|leave aside|disregard)"
)
_REST_AWAY = re.compile(
    rf"\s*[,;.:]?\s+(?:(?:and|but|then|you|u|we|please|can|may|just|to) )*(?:{_AWAY}(?: all)?(?: of)? {_OTHERS}"
    rf"|{_OTHERS}(?: please| you| we| can| may| should| be| are| to)*"
    rf" (?:{_AWAY}|not|out|go|away|removed|dropped|omitted|left out|discarded|ignored)|(?:and )?nothing (?:else"
    rf"|more|beyond))"
    r"(?: please| now)?[.!? ]*$",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r",? (?:you know|you see|i guess|let us say|let's say|as it were|so to say"
    r"|so to speak),? ?(?=,|\b)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"(?:(?:please|can you|could you|would you|and|now|then|ok|okay|kindly|also|i want to|i would like to"
    r"|let us)[,]? )*"
    r"(?:save|bookmark|shelve|tag|untag|label|note|annotate|mark|remember|unsave|comment|add|write|put|dismiss|search"
    r"|summari[sz]e|like|dislike|rename|export|cite)\b|.*\b(?:notes?|comment|remark)\b[^.?!]*:",
    re.IGNORECASE,
)
"""A change is read as it stands: what is noted is not to be put otherwise."""
_KEPT_BEHIND = re.compile(
    r"^(?:only |just )?(?P<what>(?!i\b|we\b|you\b|keep\b|please keep\b).{3,120}?),?(?: only)? (?:i|we|you|let us"
    r"|should we|to be|please|should be"
    r"|are to be)(?: only| please| just)? (?:keep|kept|retain|retained|hold on to)[.! ]*$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"^(?:(?:i |we )?(?:just|only|keep|leave|want|need|care about|am interested in|look at|want to (?:see"
    r"|keep)) )*(?:(?:out )?(?:of|from"
    r"|among) (?:these|those|them)[, ]+)?"
    r"(?:(?:just|only) )?",
    re.IGNORECASE,
)
_TO_BE = re.compile(r"\s*\(((?:to be|back to) [\w ]{3,40})\)", re.IGNORECASE)
_SHOW_THEM = re.compile(
    r"[,;:.]+ (?:and )?(?:please )?(?:show|keep|list|give|take|leave|i want|i need)(?: me)?(?: please)? (?:only"
    r"|just|nothing but)"
    r" (?:them|those|these|that|it|that one|those ones)(?: please)?[.!? ]*$",
    re.IGNORECASE,
)
_HOLD_ON = re.compile(
    r"^(?P<lead>(?:(?:great|ok|okay|well|very well|please|now|then|so|and|could we|can we|could you|can you"
    r"|let us|let's"
    r"|i want to|just|only)[,;]? )*)(?:hang on to|hold on to|retain|confine (?:ourselves|yourself|it|them|this"
    r"|the list) to"
    r"|restrict (?:ourselves|yourself) to|stay with|stick (?:to|with)|kindly let (?:these|those"
    r"|them) be (?:restricted|limited|"
    r"narrowed(?: down)?|confined) to)(?: only| just)?\b(?! it$)",
    re.IGNORECASE,
)


def as_a_sentence(text: str) -> str:
    """A message that is written as a form, a telegram or in the passive, as a sentence; any other as it is."""
    if _CHANGES.match(text):
        return text
    text = _TO_BE.sub(r" \1", text)
    text = _FILLER.sub(" ", text) if "," in text else text
    text = _SIGN.sub(lambda found: f"published {_SAID[found['sign']]} {found['year']}", text)
    text = _unlabelled(text)
    text = rewritten(text, _EXCLUSIVE)
    text = _INCLUSIVE.sub(r"\g<year>", _INCLUDED.sub(" ", text) if re.search(_YEAR, text) else text).strip()
    text = _ASKED_FOR.sub("", text)
    text = _only(rewritten(text, ROUNDABOUT))
    text = _NOT_BEHIND.sub(r", but not \g<what>", text)
    text = _GO.sub(_without, text)
    return _BEFORE_PAPERS.sub(r"the \g<papers> \g<which>", text)


def _unlabelled(text: str) -> str:
    """A form as a sentence: what its labels say, one behind the other."""
    if found := _REFERENCE.match(text):
        return f"papers like {found['name']}{found['rest'] or ''}"
    text = re.sub(rf"^type (?={_KINDS}\b)", "of the type ", text, flags=re.IGNORECASE)
    if _FIRST_LABEL.match(text) is None and _NEXT_LABEL.search(text) is None:
        return text
    text = rewritten(_NEXT_LABEL.sub(", ", text), _AT_A_LABEL)
    return re.sub(r"\b(?:AND|OR)\b", lambda found: found[0].lower(), text)


def _only(text: str) -> str:
    """What alone is to be kept, said of those and not of the others: "the first we keep, the others remove"."""
    bare = _REST_AWAY.sub("", text)
    bare = _SHOW_THEM.sub("", _REST_AWAY.sub("", text))
    if kept := _KEPT_BEHIND.match(bare):
        bare = kept["what"]
    if bare != text and len(bare.split()) > 1:
        return f"keep only {_OF_THEM.sub('', bare)}"
    return _HOLD_ON.sub(r"\g<lead>keep only", text)


def _without(found: re.Match[str]) -> str:
    """What goes, as what is left out: by itself a command, behind another sentence a condition of that."""
    what = re.sub(r"^(?:and|but|so) ", "", found["what"], flags=re.IGNORECASE)
    return f", without {what}" if found["before"] else f"drop {what}"
