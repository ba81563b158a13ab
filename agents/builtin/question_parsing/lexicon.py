"""Kinds of words that the readers of a question share; all in lower case."""

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

DOCUMENTS = frozenset(
    """paper papers article articles publication publications study studies work works literature research preprint
    preprints manuscript manuscripts thesis theses survey surveys review reviews reference references text texts
    investigation investigations""".split()
)
"""What people ask for; a date, an author or a venue beside one of these words is a condition on papers."""

WRITTEN = frozenset("published written authored appeared appearing released dated available".split())
"""What papers are before a date or an author's name."""

PEOPLE = frozenset(
    """adult adults adolescents animals babies boys child children donors females girls individuals infants kids males
    men mice newborns participants patients people persons rats students subjects survivors toddlers users women
    workers youth""".split()
)
"""Those who are "younger than 5 years" and followed up "within the last year of life"."""

EVENTS = frozenset(
    """accident accord agenda agreement attack attacks birth births born bushfire bushfires census challenge cohort
    competition convention coup crash crisis crises disaster drought earthquake edition election elections epidemic
    eruption famine flood floods framework goal goals guidelines hurricane invasion law massacre olympics outbreak
    pandemic plan protests recession referendum reform reforms release revolution riots season standard strategy
    strike target targets treaty tsunami uprising version war wars wildfire wildfires""".split()
)
"""What carries a year as part of its name: "the 2014 outbreak", "the protests in 2011", "goals for 2030"."""

MEASURED = frozenset(
    """births consumption deaths deforestation emissions fertility housewives incidence income inequality inflation
    migration mortality prevalence prices rainfall temperature temperatures unemployment wages warming""".split()
)
"""What is measured over a stretch of years, which then are the subject and no bound: "unemployment since 1990"."""

GENERAL = frozenset(
    """
    ability able according account accuracy accurate achieve achieved across action actions activity adaptive
    addition additional additionally address addressing advanced advances advantage advantages affect affected
    affecting affects agent agents aim aims allow allowing allows along already alternative always amongst amount
    amounts analyse analyses analysing analysis analyze analyzed analyzing another answer anybody anyone appear
    application applications applied applies apply applying approach approaches appropriate area aspect aspects
    assess assessed assessing assist associated association assume attempt attention author authors available
    average avoid aware base based baseline basic became become began behavior behaviour behind believe benefit
    benefits besides best better beyond big bigger biggest bound bridge bring brings build building built call
    called cannot capability capable capacity capture captures carried case cases category cause caused causes
    certain certainly chain challenge challenges change changed changes changing characteristic characteristics
    characterize choice choose cite cited cites citing class clearly combination combine combined combining come
    comes coming common commonly community compare compared comparing comparison complete complex component
    components comprehensive concept concepts concern concerned condition conditions conduct conducted confidence
    confirm conjunction consider considered considering consist consistent constraint contain contains content
    context contrast contribute contribution control conventional core correlation correspond corresponding cost
    cover create created creating creation criteria critical cross crucial current data deal deals decrease
    dedicated deem define defined definition degradation degraded degree demonstrate demonstrated demonstrates
    demonstrating depend dependent depends depict derive derived derives describe described describes describing
    design designed designing despite detail details detection determine determined develop developed developing
    development difference differences different differential difficult difficulty direct directly discover
    discovery discuss discussed discusses discussing discussion distinct distribution diverse domain domains
    downstream driven dual due dynamic dynamics e.g early easily easy effect effective effectively effectiveness
    effects efficacy efficiency efficient efficiently effort element elucidate emphasize employ employed employing
    enable enables encoding encourage end enhance enhanced enhances enhancing ensure entire entirely environment
    especially essential establish established estimate estimates etc evaluate evaluated evaluating evaluation even
    ever every everything evidence exactly examine examined examines example examples except exclude excluding
    exhibit exist existing expected expedite experience experiment experimental experiments exploit exploits explore
    explored explores exploring extend extended extensive extent extract extracts facilitate factor factors family
    far fast feature features field fields final finally find finding findings first fix flow focus focused focuses
    focusing follow following form foster found four framework frameworks free freely full fully function functions
    fundamental further furthermore future gain general generalise generalize generally generate generated
    generating generation getting given global goal goals goes going good got grasp great group groups handle
    handling happen happens help helped helps hence high higher highlight highly hold hope humans i.e idea ideas
    identification identified identify identifying impact implement implementation importance important improve
    improved improvement improvements improves improving include included includes including incorporate
    incorporates incorporating increase increased increases increasing indeed independent individual influence
    influential information initial input insight insights instance instead integrate integrated intend interaction
    interactions interest interested interesting intrinsic introduce introduced introduces introducing introduction
    investigate investigated investigates investigating investigation involve involved involves involving issue
    issues it's itself kept key kind kinds know knowledge known lack large largely larger largest last later lead
    leading leads learn least length less let lets level levels leverage leverages leveraging light like likely
    likewise limit limitation limitations limited line little local long look looking loss lot low lower made main
    mainly maintain maintaining major make makes making manage manner many match maximise maximize may maybe mean
    means measure measured measurement measures measuring mechanism mechanisms mention mentioned mentions merely
    meta method methodologies methodology methods metric metrics might minimise minimize mitigate mitigating model
    modeled modeling modelling models modern moreover much multiple must name named namely names natural nature near
    nearly necessarily necessary need needed needs negative never nevertheless new newly next non none nonetheless
    notable nothing novel number object objective objectives observations observe observed obtain obtained offer
    often once one ones open opportunities opposed opted optimal order others otherwise outperform outperforms
    output overall overcome paper parameters part partial particular particularly parts past patterns perform
    performance performed performing perhaps perspective perspectives pioneered play please point points popular
    positive possible possibly post potential potentially power practical practice pre precise predict predicted
    prefer preferably presence present presented presenting presents prevent previous previously primarily primary
    principle principles prior probably problem problems procedure process processes processing produce produced
    progress project promising promote properties property propose proposed proposes proposing prove proven provide
    provided provides providing publicly purpose pursue put putting quality quantitative quantity question questions
    quite range rapid rate rates rather real really reason recent recently recognition recommend reduce reduced
    reduces reducing reduction refer reference referred referring refers refine reflect reflected reflects regard
    regardless region regions regression regular related relation relations relationship relative release relevant
    rely remain remains report reported represent represented representing represents require required requirement
    requirements requires requiring research resolution resolve resolving resource resources respect respectively
    response
    responses result resulting results reveal reveals reviewing rich right robust role said same sample samples say
    says scale scenario scenarios scheme schemes score scores search second section see seeing seem seems seen
    seldom select selected selection sensitive separate series serve serves set sets setting settings setup seven
    several shall shape short show showed showing shown shows signal signals significant significantly similar
    similarity simple simultaneously since single situation six size small smaller social solution solutions solve
    solving somehow someone something sort sorts source sources spatial special specialized specific specifically
    specified specify stability stable stage standard start states statistical step steps still strategies
    strategy strength strengths strong structural structure structures struggle studied studies study subject subset
    substantial substantially success successful successfully sufficient suggest suggested suitable summarize
    support supporting supports sure surpass synthesis system systematic systems tackle tackled take taken takes
    talk target task tasks technical technique techniques technology temporal ten tend term terms test tested
    testing thanks theoretically thereby therefore thing things think thorough thought three throughout thus time
    times together took tool tools topic topics total toward towards traditional transfer transferring tried try
    trying turn turns two type types typical typically ultimately underlying understand understanding understood
    unique unknown usage use used useful uses using usually utilise utilization utilize utilized utilizes utilizing
    value values variables variant variants variety various vary verify version view want way ways weakness
    weaknesses weight well went whatever whenever whereas whereby wherever whether whole whose wide widely within
    without won't work worked working workings world years yes yet yield yields you're
    """.split()
)
"""Words that a paper of any field may hold, so that they tell one from another least."""


FILLER = (STOP_WORDS | QUESTION_WORDS | {"vs", "versus"}) - {"state", "survey", "research", "work", "literature"}
"""Words that end a phrase; those taken out are parts of terms too ("state space", "survey data", "work stress")."""


def tells(word: str) -> bool:
    """Whether `word`, in lower case, says something of what a question is about."""
    return word not in GENERAL and word.removesuffix("s") not in GENERAL and word not in FILLER
