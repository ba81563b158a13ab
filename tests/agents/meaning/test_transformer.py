"""A model in a folder makes vectors of texts, or one sentence says what is wrong with it."""

import asyncio
import sys
from itertools import combinations
from pathlib import Path

import pytest

from agents.llm.usage import Usage
from agents.meaning.transformer import NoTransformer, Transformer
from tests.agents.meaning.models import echoing, has_weights, minilm, runs_models, words

SLEEP = "Rest at night helps people remember what they learned."
MEMORY = "Sleep and the consolidation of memory."
TURBINES = "Fatigue of bolts in wind turbines."


def told(folder: Path) -> str:
    """What is said when vectors are asked of `folder`."""
    with pytest.raises(NoTransformer) as caught:
        Transformer(folder).vectors([SLEEP])
    return caught.value.sentence


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@has_weights
def test_texts_that_mean_about_the_same_lie_near_each_other(tmp_path: Path) -> None:
    rest, memory, turbines = Transformer(minilm(tmp_path)).vectors([SLEEP, MEMORY, TURBINES])
    assert cosine(rest, memory) > 0.4 > cosine(rest, turbines) + 0.2
    assert all(abs(cosine(one, one) - 1) < 1e-5 for one in (rest, memory, turbines))


@has_weights
def test_a_vector_does_not_depend_on_what_else_is_read(tmp_path: Path) -> None:
    model = Transformer(minilm(tmp_path))
    texts = [SLEEP, "", MEMORY * 40, TURBINES, *(f"{TURBINES} {number}" for number in range(30))]
    alone = [model.vectors([text])[0] for text in texts]
    together = model.vectors(texts)
    assert all(cosine(one, other) > 0.9999 for one, other in zip(alone, together, strict=True))
    assert min(cosine(one, other) for one, other in combinations(together[:4], 2)) < 0.5


@has_weights
def test_it_costs_nothing_and_asks_nobody(tmp_path: Path) -> None:
    model = Transformer(minilm(tmp_path))
    vectors, cost = asyncio.run(model.embed([SLEEP]))
    assert (len(vectors[0]), cost, model.local) == (384, Usage(), True)


def test_its_space_is_named_by_what_the_files_say(tmp_path: Path) -> None:
    for name, model, tokenizer in (("a", b"1", b"2"), ("b", b"1", b"2"), ("c", b"3", b"2"), ("d", b"1", b"3")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.onnx").write_bytes(model)
        (tmp_path / name / "tokenizer.json").write_bytes(tokenizer)
    first, again, *others = (Transformer(tmp_path / name).space for name in "abcd")
    assert first == again
    assert first not in others
    assert others[0] != others[1]


def test_a_folder_without_a_file_is_told_by_that_file(tmp_path: Path) -> None:
    with pytest.raises(NoTransformer) as caught:
        _ = Transformer(tmp_path).space
    assert caught.value.sentence == f"{tmp_path / 'model.onnx'} cannot be read (No such file or directory)."


def test_without_the_extra_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert told(tmp_path) == (
        "Comparing by meaning needs the extra `semantic` (onnxruntime is not installed); `spar doctor` prints the "
        "command that adds it."
    )


@runs_models
@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_broken_is_named(tmp_path: Path, broken: str) -> None:
    words(tmp_path)
    (tmp_path / "model.onnx").write_bytes(echoing("input_ids"))
    (tmp_path / broken).write_bytes(b"\x08\x08<html>not found</html>")
    assert told(tmp_path).startswith(f"{tmp_path / broken} cannot be used (")


@runs_models
def test_a_model_of_something_else_than_texts_is_told_by_what_it_wants(tmp_path: Path) -> None:
    (words(tmp_path) / "model.onnx").write_bytes(echoing("pixel_values"))
    assert told(tmp_path) == (
        f"{tmp_path / 'model.onnx'} needs the input 'pixel_values', which models for text vectors do not have."
    )


@runs_models
def test_what_comes_out_must_be_a_vector_for_each_text(tmp_path: Path) -> None:
    (words(tmp_path) / "model.onnx").write_bytes(echoing("attention_mask"))
    model = Transformer(tmp_path)
    assert model.vectors(["sleep memory"]) == [pytest.approx([0.5**0.5, 0.5**0.5])]
    (tmp_path / "model.onnx").write_bytes(echoing("token_type_ids"))  # all of which are 0
    assert told(tmp_path) == f"The model in {tmp_path} does not turn texts into vectors."
