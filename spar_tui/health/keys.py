"""Report the API keys and their origin, but never the keys themselves."""

from typing import TYPE_CHECKING

from connectors.spec import SourceSpec

if TYPE_CHECKING:
    from spar_tui.settings import Settings


def key_told(spec: SourceSpec, settings: "Settings") -> str:
    """Return a sentence about a source's key; "" if the source is off without one and reports that itself."""
    service = spec.service(settings.access)
    if service.name in settings.access.keys:
        return _from(service.name, service.key_variable, settings)
    if not service.key_variable:
        return "It needs no key."
    return "" if spec.needs_key else f"No key ({service.key_variable} is not set)."


def key_status(spec: SourceSpec, settings: "Settings") -> str:
    """Like `key_told`, but for a missing required key also name the variable to set."""
    variables = [service.key_variable for service in spec.services if service.key_variable]
    if origin := key_told(spec, settings):
        return origin
    return f"No key, so it is off; set {' or '.join(variables)}."


def model_key_status(settings: "Settings") -> str:
    """Return a sentence about the language model's key."""
    if "model" in settings.access.keys:
        return _from("model", "OPENAI_API_KEY", settings)
    return "No key (OPENAI_API_KEY is not set)."


def _from(service: str, variable: str, settings: "Settings") -> str:
    return f"Key from {variable}" + (" in the system's keyring." if service in settings.keyring else ".")
