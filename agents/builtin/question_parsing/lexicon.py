"""Word lists that the parsers of a question share; all in lower case."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_DASHES_AND_QUOTES = str.maketrans("‐‑‒–—−“”„‟«»＂‘’‚´`", "------" + '"' * 7 + "'" * 5)


class Span(NamedTuple):
    """A part of a text, as the bounds of a slice."""

    start: int
    end: int

    def overlaps(self, spans: Iterable["Span"]) -> bool:
        return any(self.start < span.end and span.start < self.end for span in spans)


def plain(text: str) -> str:
    """Return `text` with one kind of dash, quote and apostrophe; every character keeps its position."""
    return text.translate(_DASHES_AND_QUOTES)


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return `text` with blanks in `spans`, so that everything else keeps its position."""
    letters = list(text)
    for span in spans:
        letters[span.start : span.end] = " " * (span.end - span.start)
    return "".join(letters)


def without(text: str, spans: Iterable[Span]) -> str:
    """Return `text` without `spans`, and without brackets and commas that then have nothing to enclose or separate."""
    remainder = re.sub(r"\((?:\s*[,;])?\s*\)", " ", blanked(text, spans))
    # a number may begin with a point
    remainder = re.sub(r"(?<!\s)\s+([,;:?!)]|\.(?!\w))", r"\1", " ".join(remainder.split()))
    return re.sub(r"(?<![,;:])(?:[,;:] ?)+(?=[,;:.?!]|$)", "", remainder).strip()


def words_before(text: str, position: int, count: int = 1) -> list[str]:
    """Return the last `count` words before `position` in its sentence, in lower case."""
    head = re.split(r"[.;?!]", text[max(0, position - 80) : position])[-1]
    return re.findall(r"[^\W_]+(?:['-][^\W_]+)*", head.lower())[-count:]


def word_after(text: str, position: int) -> str:
    """Return the word that follows `position` after a single space or hyphen; "" if anything else follows."""
    match = re.match(r"[ -]([^\W\d_]+)", text[position:])
    return match[1] if match else ""


DOCUMENTS = frozenset(
    """paper papers article articles publication publications study studies work works literature research preprint
    preprints manuscript manuscripts thesis theses survey surveys review reviews reference references text texts
    investigation investigations""".split()
)
"""Words for papers; a date, an author or a venue beside one of these words is a condition on papers."""

WRITTEN = frozenset("published written authored appeared appearing released dated available".split())
"""Participles of papers before a date or an author's name."""

PEOPLE = frozenset(
    """adult adults adolescents animals babies boys child children donors females girls individuals infants kids males
    men mice newborns participants patients people persons rats students subjects survivors toddlers users women
    workers youth""".split()
)
"""People in phrases such as "younger than 5 years" and "within the last year of life"."""

EVENTS = frozenset(
    """accident accord agenda agreement attack attacks birth births born bushfire bushfires census challenge cohort
    competition convention coup crash crisis crises disaster drought earthquake edition election elections epidemic
    eruption famine flood floods framework goal goals guidelines hurricane invasion law massacre olympics outbreak
    pandemic plan protests recession referendum reform reforms release revolution riots season standard strategy
    strike target targets treaty tsunami uprising version war wars wildfire wildfires""".split()
)
"""Words whose year is part of a name: "the 2014 outbreak", "the protests in 2011", "goals for 2030"."""

MEASURED = frozenset(
    """births consumption deaths deforestation emissions fertility housewives incidence income inequality inflation
    migration mortality prevalence prices rainfall temperature temperatures unemployment wages warming""".split()
)
"""Quantities measured over years, which then are the subject and not a bound: "unemployment since 1990"."""

GENERAL = frozenset(
    """
    ability able according account accuracy accurate achieve achieved across action activity adaptive addition
    additional additionally address addressing advanced advances advantage affect affected affecting agent aim allow
    allowing along already alternative always amongst amount analyse analysing analysis analyze analyzed analyzing
    another answer anybody anyone appear application applied applies apply applying approach appropriate area aspect
    assess assessed assessing assist associated association assume attempt attention author available average avoid
    aware base based baseline basic became become began behavior behaviour behind believe benefit besides best better
    beyond big bigger biggest bound bridge bring build building built call called cannot capability capable capacity
    capture carried case category cause caused certain certainly chain challenge change changed changing characteristic
    characterize choice choose cite cited citing class clearly combination combine combined combining come coming common
    commonly community compare compared comparing comparison complete complex component comprehensive concept concern
    concerned condition conduct conducted confidence confirm conjunction consider considered considering consist
    consistent constraint contain content context contrast contribute contribution control conventional core correlation
    correspond corresponding cost cover create created creating creation criteria critical cross crucial current data
    deal decrease dedicated deem define defined definition degradation degraded degree demonstrate demonstrated
    demonstrating depend dependent depict derive derived described describing design designed designing despite detail
    detection determine determined develop developed developing development difference different differential difficult
    difficulty direct directly discover discovery discussed discusses discussing discussion distinct distribution
    diverse domain downstream driven dual due dynamic e.g early easily easy effect effective effectively effectiveness
    efficacy efficiency efficient efficiently effort element elucidate emphasize employ employed employing enable
    encoding encourage end enhance enhanced enhancing ensure entire entirely environment especially essential establish
    established estimate etc evaluate evaluated evaluating evaluation even ever every everything evidence exactly
    examine examined example except exclude excluding exhibit exist existing expected expedite experience experiment
    experimental exploit explore explored exploring extend extended extensive extent extract facilitate factor family
    far fast feature field final finally finding first fix flow focus focused focuses focusing follow following form
    foster found four framework free freely full fully function fundamental furthermore future gain general generalise
    generalize generally generate generated generating generation getting given global goal goes going good got grasp
    great group handle handling happen help helped hence high higher highlight highly hold hope humans i.e idea
    identification identified identify identifying impact implement implementation importance important improve improved
    improvement improving include included including incorporate incorporating increase increased increasing indeed
    independent individual influence influential information initial input insight instance instead integrate integrated
    intend interaction interest interested interesting intrinsic introduce introduced introducing introduction
    investigate investigated investigating investigation involve involved involving issue it's kept key kind knowledge
    known lack large largely larger largest last later lead leading learn least length less let level leverage
    leveraging light like likely likewise limit limitation limited line little local long look loss lot low lower made
    main mainly maintain maintaining major make making manage manner many match maximise maximize may maybe mean measure
    measured measurement measuring mechanism mention mentioned merely meta method methodologies methodology metric might
    minimise minimize mitigate mitigating model modeled modeling modelling modern moreover much multiple must name named
    namely natural nature near nearly necessarily necessary needed negative never nevertheless new newly next non none
    nonetheless notable nothing novel number object objective observations observe observed obtain obtained offer often
    one open opportunities opposed opted optimal order others otherwise outperform output overall overcome parameters
    part partial particular particularly past patterns perform performance performed performing perhaps perspective
    pioneered play point popular positive possible possibly post potential potentially power practical practice pre
    precise predict predicted prefer preferably presence present presented presenting prevent previous previously
    primarily primary principle prior probably problem procedure process processes processing produce produced progress
    project promising promote properties property propose proposed proposing prove proven provide provided providing
    publicly purpose pursue put putting quality quantitative quantity question quite range rapid rate rather real really
    reason recently recognition recommend reduce reduced reducing reduction refer reference referred referring refine
    reflect reflected regard regardless region regression regular relation relationship relative release relevant rely
    remain report reported represent represented representing require required requirement requiring research resolution
    resolve resolving resource respect respectively response result resulting reveal reviewing rich right robust role
    said sample say scale scenario scheme score search second section see seeing seem seen seldom select selected
    selection sensitive separate series serve set setting setup seven several shall shape short showed showing shown
    signal significant significantly similar similarity simple simultaneously single situation six size small smaller
    social solution solve solving somehow someone something sort source spatial special specialized specific
    specifically specified specify stability stable stage standard start states statistical step still strategies
    strategy strength strong structural structure struggle studied subject subset substantial substantially success
    successful successfully sufficient suggested suitable summarize support supporting sure surpass synthesis system
    systematic tackle tackled take taken talk target task technical technique technology temporal ten tend term test
    tested testing thanks theoretically thereby thing think thorough thought three throughout time together took tool
    topic total traditional transfer transferring tried try trying turn two type typical typically ultimately underlying
    understand understanding understood unique unknown usage use useful usually utilise utilization utilize utilized
    utilizing value variables variant variety various vary verify version view way weakness weaknesses weight well went
    whatever whenever whereas whereby wherever whole wide widely won't work worked working world years yes yet yield
    you're
    """.split()
)
"""Words that papers of any field may have, so that they distinguish papers least; with or without an s."""


EVERYDAY = frozenset(
    """actually all always annoying anything away awful bad begin best better big bigger bit bother come
    comes cool decent do does doing done easier easily easy enough ever everyone everything fast faster feel feels
    fit fits fix get gets getting give gives go goes going good got great guy guys happen happening happens
    hate helps huge just keep keeping keeps kind know let lets like little look looks lot lots made make makes
    making maybe mean means mess much never nice nobody okay people pretty put quick quickly
    quite really say saying says someone something sort stop stopping stops stuff take takes taking
    talk tell telling tells thing things think trick tricks try trying up want wants way ways weird
    worse worst wrong""".split()
)
"""Words of spoken language that say nothing of a subject."""


FILLER = (STOP_WORDS | QUESTION_WORDS | {"vs", "versus"}) - {"state", "survey", "research", "work", "literature"}
"""Words that end a phrase, except those that are also parts of terms: "state space", "survey data", "work stress"."""


def tells(word: str) -> bool:
    """Whether `word`, in lower case, describes the subject of a question."""
    return not is_general(word) and word not in FILLER


def is_general(word: str) -> bool:
    """Whether papers of any field may have `word`, in lower case."""
    return word in GENERAL or word.removesuffix("s") in GENERAL
