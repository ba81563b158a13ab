"""Makes the table of word vectors out of what a transformer makes of words, titles and abstracts; no label is read.

    python tools/fit_word_vectors.py FOLDER... --semantic MODEL [--texts N] [--leave NAME] [--kept FILE] [--to FILE]

FOLDERs are collections, MODEL is the folder of a transformer (`model.onnx`, `tokenizer.json`). By themselves it reads
the whole words of its own vocabulary, those of the starter shelf, and those that the collections have `OFTEN`; and of
each document a piece of its abstract or its title. A text is the sum of its words' vectors, by frequency and rarity;
they are fitted by ridge regression so that sums come near to what it made of the texts, in the leading principal
components of that, and words that were seen seldom or never stay near to what it made of them alone. What is written
are two bits a number, of which no text can be read again.

With --leave, the documents of one collection are left out, and those of others with a title of theirs: measure with
that, for of no one's papers are the titles known beforehand. --kept keeps the transformer's vectors for another time.
"""

import argparse
import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from agents.bench.collections import Document, read_documents
from agents.builtin.ranking import word_vectors
from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.word_vectors import packed
from agents.builtin.text.terms import terms
from agents.meaning.kept import KeptVectors, unpacked
from agents.meaning.transformer import Transformer
from cache.store import Store
from connectors.query.stopwords import STOP_WORDS
from connectors.records.matching import title_key
from connectors.starter.shelf import StarterShelf

Floats = NDArray[np.float64]

OFTEN = 4
"""A word of the collections is read from so many places on."""
DIMENSIONS = 128
PENALTY = 3.0
"""What it costs that a word's vector leaves that of the word alone. This and the dimensions were chosen on tuning
halves, with tables that had left out the collection that they were measured on."""
STEPS = 25
PIECE = 40
"""Words of an abstract that are read."""
ABSTRACTS = 0.6
"""The share of the documents with a longer abstract than a piece of which one is read; of the others the title."""
RAREST = 10.0
"""The rarity that words count with at most which the transformer has no word for."""
_LONG = 30
_FEW = 3.0
"""In so few documents a word's rarity is told half by them, half by its place in the transformer's vocabulary."""
_WORD = re.compile(r"[^\W_]+")
PLACE = Path(word_vectors.__file__).parent / word_vectors.TABLE


def pieces(documents: Sequence[Document]) -> list[str]:
    """What is read of each of `documents`, the same each time."""
    dice = np.random.default_rng(0)
    pieces = []
    for document in documents:
        words = document.abstract.split()
        if len(words) > _LONG and dice.random() < ABSTRACTS:
            start = int(dice.integers(0, max(len(words) - PIECE, 1)))
            pieces.append(" ".join(words[start : start + PIECE]))
        else:
            pieces.append(document.title)
    return pieces


def whole_words(model: Path) -> dict[str, str]:
    """The terms of the whole words that the transformer in `model` has, and those; the frequent ones come first."""
    numbers: Mapping[str, int] = json.loads((model / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    words = [word for word in sorted(numbers, key=numbers.__getitem__) if re.fullmatch("[a-z]{2,}", word)]
    spellings: dict[str, str] = {}
    for word in words:
        if word not in STOP_WORDS:
            spellings.setdefault(terms(word)[0], word)
    return spellings


def often_written(documents: Sequence[Document]) -> dict[str, str]:
    """The terms of the starter shelf and those that `documents` have `OFTEN`, each with its most frequent word."""
    written = Counter(word for document in documents for word in _words(document.text))
    for paper in StarterShelf().papers():
        written.update({word: OFTEN for word in _words(f"{paper.title} {paper.about}") if word not in written})
    spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, count in written.items():
        if stems := terms(word):
            spelled[stems[0]][word] += count
    return {term: words.most_common(1)[0][0] for term, words in sorted(spelled.items()) if words.total() >= OFTEN}


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS and len(word) > 1]


def rarity(documents: Sequence[Document], words: Sequence[str], vocabulary: Sequence[str]) -> Floats:
    """The inverse document frequency of each of `words`. Where few documents have one, its place among the words
    `vocabulary` of the transformer, frequent ones first, says how rare it is elsewhere."""
    having = Counter(term for document in documents for term in set(terms(document.text)))
    count = np.array([having[word] for word in words], np.float64)
    here = np.array([idf(having[word], len(documents)) for word in words])
    numbers = {word: ranks for ranks, word in enumerate(vocabulary)}
    ranks = np.array([numbers.get(word, -1) for word in words])
    seen = (ranks >= 0) & (count > _FEW)
    line = np.polyfit(np.log1p(ranks[seen]), here[seen], 1)
    elsewhere = np.minimum(np.polyval(line, np.log1p(np.maximum(ranks, 0))), here)
    share = count / (count + _FEW)
    rare: Floats = np.where(ranks >= 0, share * here + (1 - share) * elsewhere, np.minimum(here, RAREST))
    return rare


def counted(texts: Sequence[str], words: Sequence[str], weights: Floats) -> csr_matrix:
    """A row of length 1 for each text: how often it has each of `words`, by its logarithm, times its weight."""
    column = {word: number for number, word in enumerate(words)}
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        counts = {column[term]: count for term, count in Counter(terms(text)).items() if term in column}
        shares = np.array([(1 + log(count)) * weights[number] for number, count in counts.items()])
        rows += [row] * len(counts)
        columns += list(counts)
        values += list(shares / (np.linalg.norm(shares) or 1))
    return csr_matrix((values, (rows, columns)), shape=(len(texts), len(words)))


def components(vectors: Floats) -> Floats:
    """The leading principal components, one a column, turned at random so that each of them tells as much: numbers of
    two bits would else be too coarse for the first and too fine for the last."""
    values, basis = np.linalg.eigh(np.cov(vectors.T))
    turn, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((DIMENSIONS, DIMENSIONS)))
    turned: Floats = basis[:, np.argsort(-values)[:DIMENSIONS]] @ turn
    return turned


def fit(counts: csr_matrix, wanted: Floats, alone: Floats) -> Floats:
    """The vectors of words that make |counts · vectors - wanted|² + penalty · |vectors - scaled alone|² smallest, by
    conjugate gradients."""
    made = counts @ alone
    start = alone * (float((made * wanted).sum()) / float((made * made).sum()))
    change = np.zeros_like(start)
    left = counts.T @ (wanted - counts @ start)
    direction, size = left.copy(), float((left * left).sum())
    for _ in range(STEPS):
        moved = counts.T @ (counts @ direction) + PENALTY * direction
        step = size / float((direction * moved).sum())
        change += step * direction
        left -= step * moved
        before, size = size, float((left * left).sum())
        direction = left + size / before * direction
    return start + change


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="collections, one folder each")
    parser.add_argument("--semantic", type=Path, metavar="MODEL", required=True, help="the folder of the transformer")
    parser.add_argument("--texts", type=int, metavar="N", help="read so many texts, drawn by lot, and not all")
    parser.add_argument("--leave", metavar="NAME", help="leave the documents of this collection out")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="keep the transformer's vectors in this database")
    parser.add_argument("--to", type=Path, metavar="FILE", default=PLACE, help="where to write the table")
    options = parser.parse_args()

    sets = {folder.name: list(read_documents(folder).values()) for folder in options.folders}
    everything = [document for documents in sets.values() for document in documents]
    read = dict(zip(map(id, everything), pieces(everything), strict=True))
    out = {title_key(document.title) for document in sets.get(options.leave, ())}
    drawn = np.random.default_rng(0).permutation(len(everything))[: options.texts]
    documents = [document for document in everything if title_key(document.title) not in out]
    texts = [read[id(document)] for number in drawn if title_key((document := everything[number]).title) not in out]

    vocabulary = whole_words(options.semantic)
    words = {**vocabulary, **often_written(documents)}
    with TemporaryDirectory() as folder, Store.open(options.kept or Path(folder) / "vectors.db") as store:
        kept = KeptVectors(Transformer(options.semantic), store)
        by_text, _ = asyncio.run(kept.of([*words.values(), *texts]))
    of_words, of_texts = (np.array([unpacked(by_text[text]) for text in some]) for some in (words.values(), texts))
    middle = of_texts.mean(axis=0)
    basis = components(of_texts - middle)
    weights = rarity(documents, list(words), list(vocabulary))
    alone = (of_words - of_words.mean(axis=0)) @ basis
    vectors = fit(counted(texts, list(words), weights), (of_texts - middle) @ basis, alone) * weights[:, None]
    rows, scales = packed(vectors.astype(np.float32))
    with options.to.open("wb") as file:
        np.savez(file, words=np.frombuffer("\n".join(words).encode(), np.uint8), vectors=rows, scales=scales)
    print(f"{len(words):,} words out of {len(texts):,} texts, {options.to.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
