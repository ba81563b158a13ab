"""Compressed texts in cells of the library."""

import zlib

MOST = 1 << 28
"""Maximum size of a text, in bytes: a cell of a foreign library could expand without limit."""
LONG = 1 << 16
"""Size, in bytes, from which repetitions lie further apart than zlib's window."""
LIKELY = (
    b"https://www.semanticscholar.org/paper/https://europepmc.org/article/MED/https://pubmed.ncbi.nlm.nih.gov/"
    b"https://pmc.ncbi.nlm.nih.gov/articles/PMChttps://doi.org/10.https://arxiv.org/pdf/https://arxiv.org/abs/"
    b'{"papers":[{"title":"","abstract":"","date":"20","venue":"arXiv","type":"article","type":"preprint",'
    b'"citation_count":0,"pdf":"","url":"","language":"en","authors":[["",null],["",null]],"identifiers":[["doi","10.'
    b'48550/arxiv.2"],["arxiv","2"],["s2","CorpusId:2"],["pmid","3"],["pmcid","PMC"],["openalex","W4"]],"references":'
    b'[["pmid","2"],["openalex","W2"],["openalex","W2"]],"preprint":["arXiv","20"],"published":["","20"],"imprint":'
    b'{"volume":"","number":"","pages":"","publisher":"","arxiv_class":"cs."},"keywords":[["","semanticscholar",0],["",'
    b'"pubmed",1],["","openalex",0],["","openalex",1]],"indexed":[["europepmc","20"]],"provenance":[["abstract",'
    b'"arxiv",true],["arxiv_class","arxiv",true],["authors","semanticscholar",true],["citation_count","semanticscholar",'
    b'true],["date","europepmc",false],["number","europepmc",false],["pages","pubmed",false],["title","pubmed",false],'
    b'["authors","openalex",true],["authors","openalex",false],["citation_count","openalex",false],["date","openalex",'
    b'false],["language","openalex",false],["number","openalex",false],["pages","openalex",false],["pdf","openalex",'
    b'false],["publisher","openalex",false],["references","openalex",false],["title","openalex",false],["type",'
    b'"openalex",false],["url","openalex",false],["venue","openalex",false],["volume","openalex",false]]}],"total":null,'
    b'"sent":[],"notes":[]}'
)
"""Preset dictionary for short cells, which then store only what differs. It must never change, or no cell can be
read."""
_XZ = b"\xfd7zXZ"
_XZ_MEMORY = 1 << 26
_XZ_DICTIONARY = 1 << 21


def compress(text: str) -> bytes:
    """Compress a text of up to `MOST` bytes; JSON shrinks to between a twentieth and a third. Raises `ValueError`."""
    plain = text.encode()
    if len(plain) > MOST:
        raise ValueError("it is too long")
    if len(plain) < LONG:
        stream = zlib.compressobj(1, zdict=LIKELY[:10] + LIKELY[10:])
        return stream.compress(plain) + stream.flush()
    from lzma import FILTER_LZMA2
    from lzma import compress as compress_long

    # Higher presets take several times as long to save a tenth. To clear the preset's dictionary takes longer than to
    # compress a text that is much shorter.
    dictionary = min(len(plain), _XZ_DICTIONARY)
    return compress_long(plain, filters=[{"id": FILTER_LZMA2, "preset": 2, "dict_size": dictionary}])


def decompress(cell: bytes) -> str:
    """Return the text that `compress` compressed. Raises `ValueError` for anything else."""
    from lzma import LZMADecompressor, LZMAError

    try:
        stream = LZMADecompressor(memlimit=_XZ_MEMORY) if cell[: len(_XZ)] == _XZ else zlib.decompressobj(zdict=LIKELY)
        plain = stream.decompress(cell, MOST)
    except (zlib.error, LZMAError, TypeError) as error:
        raise ValueError(str(error)) from None
    if not stream.eof:
        raise ValueError("it is cut off or too long")
    return plain.decode()
