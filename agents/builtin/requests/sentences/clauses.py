"""Relative clauses as the short conditions that the readers know: "of which Hinton is one of the authors" is "by
Hinton"."""

import re

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.sentences.verbatim import around_verbatim

_ARE = "(is|are|was|were|be|being|has been|have been|been)"
_GIVEN = "(given/give/gave|assigned|attached|added|put|applied|stuck|written|made)"
_CARRY = "(carry/carries/carrying|bear/bears/bearing|have/has/having|hold/holds|got|wear|possess|show)"
_THERE = (
    "(available|known|given|stored|recorded|there|present|at hand|on record|on file|on hand|to be found|in the"
    " library|in the record|in the database|in the records)"
)
_AUTHORS = (
    "[joint|first|last] (author/authors|coauthor/coauthors|co-author/co-authors|writer/writers|author list|list of"
    " authors|contributors)"
)
_AS_AUTHOR = f"(as|among|amongst|on|in) [also] [one of] [the|their|its|an|a|his|her] {_AUTHORS}"
_FREELY = (
    "(freely|for free|free of charge|openly|without (paying|payment|a subscription|a paywall|cost)|at no cost|in open"
    " access|as open access|under open access|for nothing|by everyone|by everybody|by anyone|by anybody)"
)
_READABLE = "(readable|accessible|available|downloadable|obtainable)"
_CLAUSES: tuple[tuple[Phrases, str], ...] = (
    # authors
    (Phrases(f"""
        [and|but] [that|which] (do|does|did) not (have|list|name|include|count) <names:people> {_AS_AUTHOR}
        [but|and] (without|excluding|not with|with no) <names:people> (as|being|among) [an|a|the|one of the] {_AUTHORS}
        [but|and] (without|excluding|not with) <names:people> {_AS_AUTHOR}
    """), "not by {names}"),
    (Phrases(f"""
        (of|on|for|in|at|by|among) which <names:people> {_ARE} [also|both|all|listed|named] [as|among] [one|some] [of]
            [an|a|the|their] {_AUTHORS}
        (of|on|for|in|at) which <names:people> (figures|figure|appears|appear|features|stands|stand) {_AS_AUTHOR}
        (of|on|for|in|at) which (one|some) of the {_AUTHORS} {_ARE} <names:people>
        (in|on|of) whose {_AUTHORS} <names:people> (appears|appear|is|are|figures|stands|stand) [found|listed|named]
        (that|which) (have|has|list|lists|name|names|include|includes|show|count|counts) <names:people> {_AS_AUTHOR}
        (with|having|listing|naming|including) <names:people> {_AS_AUTHOR}
        [that|which|and] whose {_AUTHORS} (is|are|include/includes|contain/contains|comprise) [also|both] <names:people>
        with <names:people> being [one|some] [of] [an|the|their] {_AUTHORS}
        to which <names:people> [has|have] contributed
        (that|which) <names:people> [has|have|had] [also] (co-authored/coauthored|took part in|taken part in|(was|were|
            been) involved in|worked on|[had] a hand in|contributed to|participated in) [writing]
        [that|which] [{_ARE}] (penned|signed|composed|co-signed) by <names:people>
        (from|of) [the] author/authors <names:people>
    """), "by {names}"),
    # tags
    (Phrases(f"""
        [and|but] [that|which] (do|does|did|have|has|is|are) not [yet] [been] {_CARRY} [the|my|a] (tag|label) <tag:tag>
        [and|but] [that|which] (do|does|did|have|has|is|are) not [yet] [been] {_CARRY} [the|my|a] <tag:tag> (tag|label)
        [but|and] (not|never|without) {_CARRY} [the|my|a] (tag|label) <tag:tag>
        [but|and] (not|never|without) {_CARRY} [the|my|a] <tag:tag> (tag|label)
        [but|and] (lack/lacks/lacking|miss/misses/missing|without) [the|my|a] (tag|label) <tag:tag>
        [but|and] (lack/lacks/lacking|miss/misses/missing|without) [the|my|a] <tag:tag> (tag|label)
        [and|but] [also] (the|my) (tag|label) <tag:tag> (has|have|carry|carries|bear|bears) not
        to which (the|my) (tag|label) <tag:tag> (has|have|is|was|are) not [yet] [been] {_GIVEN}
    """), "not tagged {tag}"),
    (Phrases(f"""
        to which [the|my] [both] (tags|labels) [both] <tag:tag> and <other:tag> (have|are|were) [both] [been] {_GIVEN}
        [that|which] (the|my) (tags|labels) <tag:tag> and <other:tag> [both] {_CARRY}
        [that|which] [both] (the|my) (tag|label) <tag:tag> and [the|my] (tag|label) <other:tag> [both] {_CARRY}
    """), "tagged {tag} and {other}"),
    (Phrases(f"""
        [that|which] (the|my) (tag|label) <tag:tag> or [the|my] [tag|label] <other:tag> {_CARRY}
        to which (the|my) (tag|label) <tag:tag> or [the|my] [tag|label] <other:tag> (has|is|was) [been] {_GIVEN}
    """), "tagged {tag} or {other}"),
    (Phrases(f"""
        [that|which] (the|my) (tag|label) <tag:tag> {_CARRY}
        to which (the|my) (tag|label) <tag:tag> (has|have|is|was|are) [been] {_GIVEN} [by me]
        to which (i have|i had|i) {_GIVEN} [the|my|a] (tag|label) <tag:tag>
        to which (i have|i had|i) {_GIVEN} [the|my|a] <tag:tag> (tag|label)
        [that|which] [i|i have|have been|has been|are|were|is] [by me] (tagged|labelled|labeled|marked|flagged|filed)
            [by me] (with|by|as|under) [the|my] (tag|label) <tag:tag>
        [that|which] [have been|has been|are|were|is] (tagged|labelled|labeled) by me [with|as|by] [the|my] [tag|label]
            <tag:tag>
        [that|which] by me [have been|has been|are|were|is] (tagged|labelled|labeled) [with|as|by] [the|my] [tag|label]
            <tag:tag>
    """), "tagged {tag}"),
    # likeness, told the other way round
    (Phrases("""
        to <name:quoted> [something|anything|papers|works|ones|other papers|others]
            (similar|related|alike|comparable|close)
            [papers|works|ones|something|anything|articles]
        to <name:named> [something|anything|papers|works|ones|other papers|others]
            (similar|related|alike|comparable|close)
            [papers|works|ones|something|anything|articles]
        [that|which] to <name:quoted> [is|are] (resembles/resemble|similar|comes close|come close)
        [that|which] to <name:named> [is|are] (resembles/resemble|similar|comes close|come close)
        [the] (closest|nearest|best) (matches|match|relatives|neighbors|neighbours) (to|of|for) <name:quoted>
        [the] (closest|nearest|best) (matches|match|relatives|neighbors|neighbours) (to|of|for) <name:named>
    """), "papers similar to {name} ,"),
    # titles
    (Phrases("""
        [that|which] (have|has|having|with|contain|contains|containing|mention) in (the|their|its) title/titles [the]
            [word/words|term|phrase] <words:quoted>
        [that|which] (have|has|having|with|contain|contains|containing|mention) in (the|their|its) title/titles [the]
            [word/words|term|phrase] <words:word>
        [that|which] in (the|their|its) title/titles [have|has|having|contain|contains|mention] [the]
            [word/words|term|phrase] <words:word> (have|has|contain|contains|mention|mentions)
        [that|which] in (the|their|its) title/titles (have|has|having|contain|contains|mention) [the]
            [word/words|term|phrase] <words:word>
        (in|of) (whose|which) title/titles [the] [word/words|term|phrase] <words:quoted>
            (occurs|occur|appears|appear|stands|stand|is|are|features) [found|contained|mentioned|used]
        (in|of) (whose|which) title/titles [the] [word/words|term|phrase] <words:word>
            (occurs|occur|appears|appear|stands|stand|is|are|features) [found|contained|mentioned|used]
        title/titles [:] (must|should|have to|has to|need to|needs to|to) (contain|include|have|mention|say|use) [the]
            [word/words|term|phrase] <words:quoted>
        title/titles [:] (must|should|have to|has to|need to|needs to|to) (contain|include|have|mention|say|use) [the]
            [word/words|term|phrase] <words:word>
        [whose] title/titles 's got [the] [word|term|phrase] <words:word> in (it|them)
        [whose|where the] title/titles (has|have|got|have got|has got|with) [the] [word|term|phrase] <words:quoted>
            in (it|them)
        [whose|where the] title/titles (has|have|got|have got|has got|with) [the] [word|term|phrase] <words:word>
            in (it|them)
    """), 'with "{words}" in the title'),
    # what a record has
    (Phrases(f"""
        (for|of|from|to) which [there] [is|are|exists|exist] no [known] abstract/abstracts [is|are|exists|exist]
            [{_THERE}]
        whose abstract/abstracts (is|are) (not [yet] {_THERE}|unavailable|unknown|missing|lacking)
        [with] [a|the|their] missing abstract/abstracts
        [that|which] (without|with no|have no|has no|having no|lack|lacks|lacking|missing|no|there is no|miss)
            [an|any] [known] abstract/abstracts {_THERE}
        where (the|an|their) abstract/abstracts (is|are) (not [yet] {_THERE}|unavailable|unknown|missing|lacking)
        where no abstract/abstracts (is|are|exists) [{_THERE}]
        where there is no abstract/abstracts
    """), "without abstract"),
    (Phrases(f"""
        (for|of) which (an|the|their) abstract/abstracts (is|are|exists) [{_THERE}]
        whose abstract/abstracts (is|are|exists) {_THERE}
        where (an|the|their) abstract/abstracts (is|are|exists) [{_THERE}]
        where there is an abstract/abstracts
        with [an|the] abstract/abstracts {_THERE}
    """), "with an abstract"),
    (Phrases(f"""
        (to|for|on|with) which [there] [is|are|exists|exist] no {{note}} [is|are|exists|exist|has|have] [been]
            [{_GIVEN}] [by me] [yet]
        [but|and] [that|which] [i|i have|have i] (wrote|written|made|took|taken|left|have|has|put) no {{note}}
            [on|about|for|to]
        [and] where [there] [is] no {{note}} [is|are|exists|exist|has|have] [been] [{_GIVEN}|there] [by me] [yet]
    """), "without notes"),
    (Phrases(f"""
        (to|for|on|with) which (a|my|some|an) {{note}} [of mine] (is|are|exists|exist|has|have) [been] [{_GIVEN}]
            [by me]
        (to|for|on|with) which there (is|are|exists|exist) (a|my|some|an) {{note}} [of mine]
        where [there] [is] (a|my|some|an) {{note}} [of mine] (is|are|exists|exist|has|have) [been] [{_GIVEN}|there]
    """), "with notes"),
    # whether it can be read
    (Phrases(f"""
        [that|which] (can|may|could) not be (read|downloaded|accessed|opened|had|obtained) [{_FREELY}] {_FREELY}
        [that|which] {_ARE} not [made] [{_READABLE}] {_FREELY} [{_READABLE}]
    """), "not open access"),
    (Phrases(f"""
        [that|which] (can|may|could) [i|one|we|you] [be] (read|downloaded|accessed|opened|had|obtained) [{_FREELY}]
            {_FREELY}
        [that|which] {_FREELY} (can|may|could) be (read|downloaded|accessed|opened|had|obtained)
        [that|which] [one|i|we|you|anyone|everyone|everybody] (can|may|could) (read|download|access|open|get|have)
            {_FREELY}
        [that|which] [{_ARE}] [made] {_READABLE} {_FREELY}
        [that|which] [{_ARE}] [made] (freely|openly) {_READABLE}
        whose (full text|pdf|text) {_ARE} (free|open|open access|freely {_READABLE}|openly {_READABLE}|{_READABLE} for
            free)
        (with|having) (free|open) full text/texts
    """), "open access"),
    # what the person did
    (Phrases("""
        [that|which] [i|i have|have been|has been|are|were|is] [by me] (marked|flagged|rated) [by me] [as|with] [a]
            (liked|like|thumbs up|good)
        [to] [that|which] i [have] (gave|given) (a|my) like [to]
        with (my|a) like
        i [have] (gave|given) (a|my) like [to]
        [to] which (a|my) like has been given
    """), "liked"),
    (Phrases("""
        [that|which] [i|i have|have been|has been|are|were|is] [by me] (marked|flagged|rated) [by me] [as|with] [a]
            (disliked|dislike|thumbs down|bad)
        [to] [that|which] i [have] (gave|given) (a|my) dislike [to]
        with (my|a) dislike
        i [have] (gave|given) (a|my) dislike [to]
        did i dislike
    """), "disliked"),
    (Phrases("""
        [but|and] [that|which] (have|has|are|were|is) (never|not) [yet|ever] [been] (rated|(given|received|got) (any|a)
            rating) [by me]
        to which (i have given|i gave) no rating
        to which no rating has [yet] been given
    """), "unrated"),
    (Phrases("""
        (on|for|to|about) which (have i|i have) (a|any|some|my) {note}
            (written|made|attached|taken|left)
        (have i|i have) (a|any|some) {note} (written|made|attached|taken|left)
    """), "with notes"),
    (Phrases("""
        [that|which] by me [are|is|have been|has been|were] (not|never) [yet] [been] <state:state>
        [that|which] [are|is|have been|has been|were] (not|never) [yet] [been] by me <state:state>
        [that|which] [are|is|have been|has been|were] by me (not|never) [yet] [been] <state:state>
        [that|which] (have been|has been|were|are|is) (not|never) [yet] [been] <state:state> by me
    """), "that i have not {state}"),
    (Phrases("""
        [that|which] by me [are|is|have been|has been|were] [already] <state:state>
        [that|which] (are|is|have been|has been|were) by me [already] <state:state>
        [that|which] (have been|has been|were|are|is) [already] <state:state> by me
    """), "that i have {state}"),
    (Phrases("""
        [that|which] (am i|i am|do i|i) [still] (missing|miss|lack|lacking|need) [on|from|in] [to|my] (shelf|collection)
        [that|which] (i do not|do i not) [yet|already] (have|own|keep|hold) [yet|already] (on|in) my (shelf|collection)
        [that|which] my (shelf|collection) (lacks|misses|does not (have|hold|contain|include)) [yet|so far]
        [that|which] (are|is) [still] (missing|lacking|absent) (on|from|in) my (shelf|collection)
    """), "not on my shelf"),
    (Phrases("""
        [that|which] my (shelf|collection) (has|holds|contains|includes)
        [that|which] (stand|sit|lie|live|are kept|are found|are standing|are sitting) (on|in) my (shelf|collection)
    """), "on my shelf"),
    # dates, venues and kinds
    (Phrases("""
        (whose|where the) [publication] (year|date) [of publication] (is|lies|falls|was|are) <when>
        (with|having) [a|the] [publication] (year|date) [of publication] [being|of] <when>
    """), "published {when}"),
    (Phrases("""
        [that|which] (stem|stems|stemming|originate|originates|originating|hail|hailing|dating|date|dates|come|comes
            |coming) (from|back to)
    """), "from"),
    (Phrases("""
        (whose|where the|with [the|a|as]|having [the|as]) [publication] venue (is|are|being|was) <venue>
        (whose|where the) (journal|conference) (is|was) <venue>
    """), "in {venue}"),
    (Phrases("""
        [that|which] (are|is|were|was) (classified|typed|listed|recorded|registered|catalogued|cataloged|filed) as
            (a|an|being [a|an])
        whose (type|kind) (is|are|was) [a|an|either]
        (of|with) type [is|being|:] [a|an|either]
    """), "of the type"),
)  # fmt: skip
_SUCH = re.compile(
    r"\b(?:such|those) (?:papers |ones |articles |works )?(?=(?:that|which|who|whose|as)\b)", re.IGNORECASE
)
_MOST = 4
"""Clauses of one kind, at most."""


def in_short(text: str) -> str:
    """A request for papers with its relative clauses put shortly; what stands in quotation marks beside them stays."""
    text = around_verbatim(text, lambda bare: _SUCH.sub("papers ", bare))
    for phrases, known in _CLAUSES:
        for _ in range(_MOST):
            if (found := phrases.find(text)) is None:
                break
            said = known.format_map({name: slot.strip("\"'") for name, slot in found.slots.items()})
            text = " ".join(f"{text[: found.start]} {said} {text[found.end :]}".split())
    return text
