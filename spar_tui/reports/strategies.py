"""Search strategies for reading and pasting, extracted from the requests sent to a source."""

import json
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from connectors.registry import SOURCES


def strategies(source: str, sent: Sequence[str]) -> list[str]:
    """Return the distinct strategies in the requests `sent` to `source`, decoded. Further pages repeat a strategy,
    and requests for records by id have none. If no request has one, all are returned as sent."""
    names = SOURCES[source].strategy if source in SOURCES else ()
    texts = [text for request in sent if (text := _strategy(names, _parameters(request)))]
    return list(dict.fromkeys(texts or sent))


def _strategy(names: Sequence[str], parameters: dict[str, str]) -> str:
    """Return the value of the first of `names`, then the others with their names."""
    if not names or not (text := parameters.get(names[0])):
        return ""
    if since := parameters.get("mindate"):  # Entrez takes it as a separate parameter, PubMed's page within the query
        text = f'({text}) AND ("{since}"[dp] : "{parameters.get("maxdate", "3000")}"[dp])'
    limits = [f"{name}={parameters[name]}" for name in names[1:] if parameters.get(name)]
    return " ".join(text.split()) + (f"  [{', '.join(limits)}]" if limits else "")


def _parameters(request: str) -> dict[str, str]:
    """Return the parameters of a request: of its address, of a form, or of a JSON object after the address."""
    _, post, rest = request.rpartition("POST ")
    target, _, body = rest.partition(" ") if post else (request, "", "")
    if body.startswith("{"):
        try:
            values = json.loads(body)
        except ValueError:
            return {}
        return {name: str(value) for name, value in values.items()} if isinstance(values, dict) else {}
    return dict(parse_qsl(body or urlsplit(target).query))
