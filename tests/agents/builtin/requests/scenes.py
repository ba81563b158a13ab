"""A small library as the rules see it, and how a plan is written down in one line."""

from datetime import date

from rapidfuzz import fuzz

from agents.builtin.requests.scene import Known, Reading, Scene

TITLES = (
    "Attention Is All You Need", "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    "RoBERTa: A Robustly Optimized BERT Pretraining Approach", "ELECTRA: Pre-training Text Encoders as Discriminators",
    "PaSa: An LLM Agent for Comprehensive Academic Paper Search", "SPAR: Scholar Paper Retrieval with LLM-based Agents",
    "LitSearch: A Retrieval Benchmark for Scientific Literature Search", "BEIR: A Heterogeneous Benchmark",
    "ColBERT: Efficient and Effective Passage Search", "RAPTOR: Recursive Abstractive Processing",
    "ReAct: Synergizing Reasoning and Acting in Language Models", "Toolformer: Language Models Can Teach Themselves",
    "Self-RAG: Learning to Retrieve, Generate, and Critique", "MetaGPT: Meta Programming for Multi-Agent Collaboration",
    "CAMEL: Communicative Agents", "ChatDev: Communicative Agents for Software Development", "AutoGen: Multi-Agent",
    "Adam: A Method for Stochastic Optimization", "GloVe: Global Vectors", "word2vec: Distributed Representations",
    "UMAP: Uniform Manifold Approximation", "LightGBM: A Highly Efficient Tree", "SCANPY: Single-cell Analysis",
    "RAGAs: Automated Evaluation", "SPLADE: Sparse Lexical Model", "MS MARCO: A Human Generated Dataset",
    "Lost in the Middle: How Language Models Use Long Contexts", "node2vec: Scalable Feature Learning for Networks",
    "Learning to Rank from Implicit Feedback in the Wild", "Trim and fill: a simple method",
    "Bias in meta-analysis detected by a simple, graphical test", "Okapi at TREC-3",
)  # fmt: skip
AUTHORS = frozenset(
    """bengio lecun hinton manning lewis riedel kiela schulman robertson karpukhin salton potts sutskever chen müller
    devlin koren""".split()
)
VENUES = ("nature", "science", "bioinformatics", "cell", "journal of machine learning research", "arxiv")
WORDS = frozenset(
    """retrieval agents latency transformers diffusion images reinforcement learning games hallucination graph neural
    networks query expansion publication bias meta-analysis interaction late protein structure prediction evaluation
    machine translation reasoning survey surveys literature search fish oil question answering""".split()
)
TAGS = ("rag", "thesis", "agents", "to-read", "biomed", "query-expansion", "evaluation", "survey")
TODAY = date(2026, 11, 20)


def title_of(name: str) -> str:
    """The title that is `name`, or whose part before the colon is, give or take a slip."""
    said = name.strip().casefold()
    near = {
        title: max(fuzz.ratio(said, title.casefold()), fuzz.ratio(said, title.split(":")[0].casefold()))
        for title in TITLES
    }
    best = max(near, key=lambda title: near[title])
    return best if said and near[best] >= 86 else ""


def known_of(name: str) -> Known:
    """Every paper that is known, or is in a place, is from May 2020 and cited 100 times."""
    return Known("2020-05-01", 100) if name.startswith("@") or title_of(name) else Known()


LIBRARY = Scene(
    TODAY,
    tags=TAGS,
    title_of=title_of,
    known_of=known_of,
    is_author=lambda name: name.casefold() in AUTHORS,
    is_venue=lambda name: any(venue == name.casefold() for venue in VENUES),
    is_word=lambda word: word.casefold() in WORDS,
    is_subject=lambda phrase: WORDS.issuperset(phrase.casefold().split()),
)
SCENES = {
    "start": LIBRARY,
    "listed": Scene(**{**vars(LIBRARY), "candidates": 25, "numbers": (1, 2, 3), "shown": 10, "last_place": 10}),
    "looked": Scene(**{**vars(LIBRARY), "candidates": 25, "shown": 10, "last_place": 10, "looked": 2}),
    "two": Scene(**{**vars(LIBRARY), "candidates": 2, "shown": 2, "last_place": 2, "looked": 1}),
}
"""The beginning of a conversation; behind a list of 10 of 25 papers; the second of them was looked at; behind two."""


def written(reading: Reading) -> str:
    """The plan in one line: `filter(authors=Lewis) > list`; an onward one begins with `…`; of SQL what it selects."""
    if not reading.understood:
        return "?"
    if reading.reply:
        return f"“{reading.reply}”" if len(reading.reply) < 80 else "help"
    steps = " > ".join(
        f"{call.tool}({_told(call.arguments)})" if call.arguments else call.tool for call in reading.calls
    )
    return f"… {steps}" if reading.onward else steps


def _told(arguments: object) -> str:
    assert isinstance(arguments, dict)
    return "; ".join(f"{name}={_value(value)}" for name, value in arguments.items())


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    text = str(value)
    return " ".join(text.partition(" FROM ")[0].split()[1:]) if text.startswith("SELECT ") else text
