"""A small transformer from a folder: `model.onnx` and `tokenizer.json`, run by onnxruntime. No network, no torch.

It has the format of sentence-transformers: tokens in, hidden states out; their mean is the text's vector. The model is
loaded for the first text, and never if all vectors are stored.
"""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from threading import Lock
from typing import Any

from agents.builtin import lazy_numpy as np
from agents.llm.errors import ModelError
from agents.llm.usage import Usage
from connectors.batches import in_batches

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
TOKENS = 128
"""Tokens read of each text: more take twice the time and add little."""
BATCH = 16
"""Number of texts, of similar length, in a batch."""
THREADS = 2
"""Maximum number of processors: other programs need some too."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class NoTransformer(ModelError):
    """The folder has no model for vectors, or a package to run it is missing; the sentence says what to do."""


class Transformer:
    """The model in `folder`, as a `TextEncoder`."""

    local = free = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()

    @property
    def label(self) -> str:
        return f"the model in {self.folder}"

    @property
    def space(self) -> str:
        return " ".join(["local", *(digest[:32] for digest in self.digests.values()), str(TOKENS)])

    @cached_property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of each file, by name. Raises `NoTransformer`."""
        return {name: self._hash(name) for name in (MODEL, TOKENIZER)}

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        return await asyncio.to_thread(self.vectors, texts), Usage()

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of `texts` in order. Blocks; raises `NoTransformer`."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        by_index: dict[int, list[float]] = {}
        with self._lock:
            for some in in_batches(order, BATCH):
                rows = self._loaded.vectors([texts[index] for index in some])
                by_index.update(zip(some, rows.tolist(), strict=True))
        return [by_index[index] for index in range(len(texts))]

    def _hash(self, name: str) -> str:
        try:
            with (self.folder / name).open("rb") as file:
                return file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise NoTransformer(f"{self.folder / name} cannot be read ({error.strerror}).") from None

    @cached_property
    def _loaded(self) -> "_Loaded":
        return _Loaded(self.folder)


class _Loaded:
    """The model in memory."""

    def __init__(self, folder: Path) -> None:
        try:
            import onnxruntime  # type: ignore[import-not-found, import-untyped, unused-ignore]
            import tokenizers  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise NoTransformer(
                f"Comparing by meaning needs the extra `semantic` ({error.name} is not installed); `spar doctor` "
                "prints the command that adds it."
            ) from None
        self._name = f"{folder}"
        self._tokenizer = self._of(folder / TOKENIZER, tokenizers.Tokenizer.from_file)
        padding = self._tokenizer.padding or {}
        self._pad = int(padding.get("pad_id", self._tokenizer.token_to_id("[PAD]") or 0))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4  # errors are reported in a sentence of our own
        self._session = self._of(
            folder / MODEL, lambda path: onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        )
        self._inputs = [model_input.name for model_input in self._session.get_inputs()]
        if odd := [name for name in self._inputs if name not in _INPUTS]:
            raise NoTransformer(
                f"{folder / MODEL} needs the input {odd[0]!r}, which models for text vectors do not have."
            )

    def vectors(self, texts: Sequence[str]) -> "np.Floats32":
        """Return a row of length 1 for each text."""
        tokens = [text.ids or [self._pad] for text in self._tokenizer.encode_batch(list(texts))]
        ids = np.full((len(tokens), max(map(len, tokens))), self._pad, np.int64)
        mask = np.zeros_like(ids)
        for row, token_ids in enumerate(tokens):
            ids[row, : len(token_ids)], mask[row, : len(token_ids)] = token_ids, 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._run({name: inputs[name] for name in self._inputs})
        if hidden.ndim == 3:
            hidden = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        lengths = np.linalg.norm(hidden, axis=-1, keepdims=True) if hidden.ndim == 2 else np.zeros(1)
        if hidden.shape[0] != len(texts) or not np.isfinite(lengths).all() or not lengths.all():
            raise NoTransformer(f"The model in {self._name} does not turn texts into vectors.")
        rows: np.Floats32 = (hidden / lengths).astype(np.float32)
        return rows

    def _run(self, inputs: dict[str, Any]) -> Any:
        try:
            return self._session.run(None, inputs)[0]
        except Exception as error:  # noqa: BLE001  # onnxruntime has no class of its own for what a model does wrong
            raise NoTransformer(f"The model in {self._name} cannot be run ({_short(error)}).") from None

    @staticmethod
    def _of(path: Path, read: Any) -> Any:
        """Return the result of `read` on the file at `path`."""
        if not path.is_file():
            raise NoTransformer(f"{path} is not there.")
        try:
            return read(str(path))
        except Exception as error:  # noqa: BLE001  # neither library has a class of its own for a file that is broken
            raise NoTransformer(f"{path} cannot be used ({_short(error)}).") from None


def _short(error: Exception) -> str:
    """Return the first line of a library's error message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160].rstrip(".")
