"""Vectors of a collection's documents for `spar bench --recommend --embeddings`, by what makes the person's own."""

from typing import TYPE_CHECKING

from spar_tui.errors import Failure, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.bench.recommending.users import Libraries
    from agents.bench.recommending.vectors import VectorFile
    from agents.meaning.encoder import Encoder
    from spar_tui.settings import Settings
    from spar_tui.terminal import ProgressLine
    from spar_tui.workspace import Workspace

FOLDER = "bench-vectors"
"""Beside the library."""


async def vectors_of(libraries: "Libraries", line: "ProgressLine") -> tuple[str, dict[int, bytes]]:
    """Who made the vectors, and that of each document by its place; what is sent where is said before.

    Raises `UsageError` without a model for vectors, `Failure` if it makes none.
    """
    from agents.bench.recommending.vectors import VectorFile, texts_of
    from agents.llm.errors import ModelError
    from spar_tui.terminal import note
    from spar_tui.workspace import open_workspace, read_settings

    settings = read_settings()
    offline = settings.preferences.offline
    async with open_workspace(settings, [], offline=offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        texts = texts_of(libraries.documents)
        try:
            file = VectorFile(settings.places.database.parent / FOLDER, encoder.space)
        except ModelError as error:
            raise Failure(error.sentence) from None
        kept = file.kept(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        sent = sent_text(len(missing), encoder)
        note(f"{libraries.name}: {sent}; {len(kept):,} vectors are kept from before, in {file.path}.")
        kept |= await _made(encoder, file, missing, line)
    if len({len(vector) for vector in kept.values()}) > 1:
        raise Failure(f"the vectors by {encoder.told} have different lengths; delete {file.path} and measure again.")
    return encoder.told, {place: kept[text] for place, text in enumerate(texts)}


def encoder_of(workspace: "Workspace", settings: "Settings") -> "Encoder":
    """What makes vectors for the person. Raises `UsageError` if nothing does."""
    if workspace.resources.embeddings is None:
        why = " that may be asked while the setting `offline` is on" if settings.preferences.offline else ""
        raise UsageError(
            f"there is no model that makes vectors{why}; SPAR_SEMANTIC_FOLDER names the folder of one, or "
            "SPAR_EMBEDDING_MODEL one at your model's address."
        )
    return workspace.resources.embeddings.encoder


def sent_text(count: int, encoder: "Encoder") -> str:
    if not count:
        return "nothing has to be sent"
    way = f"are read by {encoder.told}" if encoder.local else f"go to {encoder.told}"
    return f"{count:,} text{'' if count == 1 else 's'} (title and abstract of a document each) {way}"


async def _made(
    encoder: "Encoder", file: "VectorFile", missing: "Sequence[str]", line: "ProgressLine"
) -> dict[str, bytes]:
    from agents.bench.recommending.vectors import embedded
    from agents.llm.errors import ModelError

    made: dict[str, bytes] = {}
    try:
        async for fresh in embedded(encoder, file, missing):
            made |= fresh
            line.tell(f"vectors {len(made):,}/{len(missing):,}")
    except ModelError as error:
        kept = f"{len(made):,} of {len(missing):,} vectors came and are kept; measure again for the rest."
        raise Failure(f"{error.sentence} {kept}") from None
    except OSError as error:
        raise Failure(f"{file.path} cannot be written ({error.strerror}).") from None
    return made
