"""Names of venues that no rule derives from each other: acronyms, sister publications, series, repositories."""

from cache.conditions.venue_names import ABBREVIATED

_MORE = """
aaai: aaai conference on artificial intelligence
aaai: national conference on artificial intelligence
aamas: international conference on autonomous agents and multiagent systems
accv: asian conference on computer vision
acml: asian conference on machine learning
asplos: architectural support for programming languages and operating systems
bmvc: british machine vision conference
ccs: computer and communications security
chi: human factors in computing systems
conll: computational natural language learning
corl: conference on robot learning
crypto: international cryptology conference
cscw: computer supported cooperative work
dac: design automation conference
ecai: european conference on artificial intelligence
ecml: european conference on machine learning
edbt: extending database technology
eurocrypt: theory and applications of cryptographic techniques
eurosys: european conference on computer systems
focs: foundations of computer science
fse: foundations of software engineering
hotnets: hot topics in networks
hpca: high performance computer architecture
icalp: automata languages and programming
icann: international conference on artificial neural networks
icassp: acoustics speech and signal processing
icde: international conference on data engineering
icdm: international conference on data mining
icip: international conference on image processing
icme: international conference on multimedia and expo
icpr: international conference on pattern recognition
icse: international conference on software engineering
ijcnlp: international joint conference on natural language processing
ijcnn: international joint conference on neural networks
imc: internet measurement conference
infocom: international conference on computer communications
interspeech: international speech communication association
isca: international symposium on computer architecture
ismir: international society for music information retrieval
issta: software testing and analysis
iui: intelligent user interfaces
kdd: sigkdd
lrec: language resources and evaluation
miccai: medical image computing and computer assisted intervention
micro: symposium on microarchitecture
mlsys: machine learning and systems
mm: international conference on multimedia
ndss: network and distributed system security
nsdi: networked systems design and implementation
osdi: operating systems design and implementation
pakdd: pacific asia conference on knowledge discovery and data mining
pets: privacy enhancing technologies
pldi: programming language design and implementation
pods: principles of database systems
podc: principles of distributed computing
popl: principles of programming languages
recsys: recommender systems
rss: robotics science and systems
sc: high performance computing networking storage and analysis
sdm: siam international conference on data mining
sigcomm: data communication
siggraph: computer graphics and interactive techniques
sigmod: management of data
soda: symposium on discrete algorithms
sosp: operating systems principles
stoc: theory of computing
tpami: transactions on pattern analysis and machine intelligence
ubicomp: pervasive and ubiquitous computing
uist: user interface software and technology
wacv: winter conference on applications of computer vision
wsdm: web search and data mining
www: world wide web
www: web conference
jama: journal of the american medical association
jacs: journal of the american chemical society
prl: physical review letters
tods: transactions on database systems
tog: transactions on graphics
toplas: transactions on programming languages and systems
tochi: transactions on computer human interaction
tois: transactions on information systems
tnnls: transactions on neural networks and learning systems
tkde: transactions on knowledge and data engineering
pvldb: vldb endowment
pacmpl: acm on programming languages
pacmmod: acm on management of data
pacmhci: acm on human computer interaction
imwut: interactive mobile wearable and ubiquitous technologies
cgf: computer graphics forum
tvcg: transactions on visualization and computer graphics
ral: robotics and automation letters
"""
WRITTEN_OUT: tuple[tuple[str, str], ...] = (
    *((acronym, name) for acronym, name in ABBREVIATED.items()),
    *((acronym, name) for line in _MORE.split("\n") if line for acronym, _, name in [line.partition(": ")]),
)
"""Acronyms with the words that the written-out name of the venue ends with, before volume and year."""
SAME_ACRONYMS = {"nips": "neurips", "nips*": "neurips", "pami": "tpami"}
SISTERS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "siggraph tog", "vldb pvldb", "popl oopsla icfp pldi pacmpl", "sigmod pods pacmmod", "cscw chi pacmhci",
        "ubicomp imwut", "eurographics cgf", "infovis tvcg", "icra iros ral", "kdd sigkdd", "sosp osr",
    )
)  # fmt: skip
"""Venues whose papers appear in one publication, so that either may be cited."""
SERIES = (
    "lecture notes", "communications in computer and information science", "advances in intelligent systems",
    "advances in information and communication technology", "procedia", "ceur", "lipics",
    "leibniz international proceedings", "proceedings of machine learning research", "pmlr", "conference series",
    "acm international conference proceeding series", "proceedings in theoretical computer science",
    "frontiers in artificial intelligence and applications", "studies in", "smart innovation", "springer proceedings",
    "workshop and conference proceedings",
)  # fmt: skip
"""How series begin or are called that hold the proceedings of many conferences."""
PUBLISHERS = frozenset(
    "acm aaai ieee springer elsevier usenix pmlr openreview net org press association computing machinery curran"
    " associates inc wiley siam nature publishing group publishers publisher publication publications verlag".split()
)
"""Words of publishers' names: a venue made of these alone says nothing."""
REPOSITORIES = (
    "rxiv", "corr", "ssrn", "zenodo", "openreview", "figshare", "research square", "preprint", "repository", "hal",
    "dspace", "eprint", "e print", "osf", "pubmed",
)  # fmt: skip
