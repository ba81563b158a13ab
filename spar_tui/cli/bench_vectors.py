"""Vectors of a collection's documents for `spar bench --recommend --embeddings`, by the person's own model for them."""

from typing import TYPE_CHECKING

from spar_tui.errors import Failure, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.bench.recommending.users import Libraries
    from agents.bench.recommending.vectors import VectorFile
    from agents.llm.embeddings import Embeddings
    from spar_tui.terminal import ProgressLine

FOLDER = "bench-vectors"
"""Beside the library."""


async def vectors_of(libraries: "Libraries", line: "ProgressLine") -> tuple[str, dict[int, bytes]]:
    """Who made the vectors, and that of each document by its place; what is sent where is said before.

    Raises `UsageError` without a model for vectors, `Failure` if it makes none.
    """
    from agents.bench.recommending.vectors import VectorFile, texts_of
    from spar_tui.terminal import note
    from spar_tui.workspace import open_workspace, read_settings

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("vectors are made by a model, and the setting `offline` is on.")
    async with open_workspace(settings, [], offline=False, model=True) as workspace:
        embeddings = workspace.resources.embeddings
        if embeddings is None or settings.model is None:
            raise UsageError(
                "there is no model that makes vectors; SPAR_EMBEDDING_MODEL names one at your model's address."
            )
        by = f"{embeddings.name} at {settings.model.host}"
        texts = texts_of(libraries.documents)
        file = VectorFile(settings.places.database.parent / FOLDER, embeddings.space)
        kept = file.kept(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        note(
            f"{libraries.name}: {_sent(len(missing), by)}; {len(kept):,} vectors are kept from before, in {file.path}."
        )
        kept |= await _made(embeddings, file, missing, line)
    if len({len(vector) for vector in kept.values()}) > 1:
        raise Failure(f"the vectors of {by} have different lengths; delete {file.path} and measure again.")
    return by, {place: kept[text] for place, text in enumerate(texts)}


def _sent(count: int, by: str) -> str:
    if not count:
        return "nothing has to be sent"
    return f"{count:,} text{'' if count == 1 else 's'} (title and abstract of a document each) go to {by}"


async def _made(
    embeddings: "Embeddings", file: "VectorFile", missing: "Sequence[str]", line: "ProgressLine"
) -> dict[str, bytes]:
    from agents.bench.recommending.vectors import embedded
    from agents.llm.errors import ModelError

    made: dict[str, bytes] = {}
    try:
        async for fresh in embedded(embeddings, file, missing):
            made |= fresh
            line.tell(f"vectors {len(made):,}/{len(missing):,}")
    except ModelError as error:
        kept = f"{len(made):,} of {len(missing):,} vectors came and are kept; measure again for the rest."
        raise Failure(f"{error.sentence} {kept}") from None
    except OSError as error:
        raise Failure(f"{file.path} cannot be written ({error.strerror}).") from None
    return made
