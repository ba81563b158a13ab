"""No shape that a model is asked to fill can be filled with nothing: what it leaves out is a misfit."""

import importlib
import pkgutil
from typing import get_origin

import pytest
from pydantic import BaseModel

import agents

MOSTLY_EMPTY = {"yes", "no", "authors", "venues", "papers", "sources", "needs"}
"""Lists that are mostly empty: left out means none."""


def shapes() -> list[type[BaseModel]]:
    """The shapes that whole answers are to have: models of the agents that no other one holds."""
    for module in pkgutil.walk_packages(agents.__path__, "agents."):
        importlib.import_module(module.name)
    every = [shape for shape in heirs(BaseModel) if shape.__module__.startswith("agents.")]
    held = {one for shape in every for field in shape.model_fields.values() for one in mentioned(field.annotation)}
    return [shape for shape in every if shape not in held and not shape.__module__.startswith("agents.tools")]


def heirs(shape: type[BaseModel]) -> list[type[BaseModel]]:
    return [one for heir in shape.__subclasses__() for one in (heir, *heirs(heir))]


def mentioned(annotation: object) -> list[object]:
    return [annotation, *(one for part in getattr(annotation, "__args__", ()) for one in mentioned(part))]


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.__name__)
def test_a_shape_is_not_filled_by_an_empty_object_and_its_lists_must_be_there(shape: type[BaseModel]) -> None:
    fields = shape.model_fields.items()
    if shape.__name__ == "WrittenPlan":
        pytest.skip("its steps are required where the tools are known")
    assert any(field.is_required() for _, field in fields)
    lists = [name for name, field in fields if get_origin(field.annotation) is list and not field.is_required()]
    assert set(lists) <= MOSTLY_EMPTY
