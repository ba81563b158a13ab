"""The sides from which a topic is looked at, in the words that papers of its field use for them (SPAR §3.1)."""

SURVEY_ASPECTS = ("methods", "applications", "history", "challenges")
"""What a survey of any field treats: what is done, what for, how it came about, what is open."""

_BY_FIELD = {
    "computer science": ("survey", "methods", "applications", "evaluation"),
    "biomedicine": ("review", "mechanisms", "treatment", "epidemiology"),
    "physics": ("review", "theory", "experiment", "observation"),
    "mathematics": ("survey", "theorem", "examples", "open problems"),
    "chemistry": ("review", "synthesis", "mechanism", "applications"),
    "engineering": ("review", "design", "experiment", "applications"),
    "economics": ("theory", "empirical evidence", "policy", "review"),
    "sociology": ("theory", "empirical evidence", "inequality", "review"),
    "law and politics": ("theory", "empirical evidence", "policy", "review"),
    "education": ("intervention", "empirical evidence", "policy", "review"),
    "psychology": ("theory", "experiment", "intervention", "meta-analysis"),
    "earth and environment": ("observation", "modelling", "impacts", "review"),
    "humanities": ("history", "interpretation", "theory", "criticism"),
}
_ANY_FIELD = ("review", "methods", "applications", "challenges")


def aspect_terms(field: str | None) -> tuple[str, ...]:
    """Four sides of a topic of `field`, a name as `field_of` gives it."""
    return _BY_FIELD.get((field or "").split(":")[0], _ANY_FIELD)
