"""The house as it is laid out: no circles, short ways. docs/architecture.md tells why."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import grimp
import pytest

from tests.spar_tui.running import PATIENCE

ROOT = Path(__file__).parents[1]
LONGEST_CHAIN = 26
CLOCKS = ("monotonic", "perf_counter", "process_time", "thread_time", "time")
WAITS = ("communicate", "join", "result", "timeout", "wait", "wait_for")
LIMITED = re.compile(rf"\b(?:{'|'.join(CLOCKS + WAITS)})\(|\btimeout=")
PACKAGES = ("connectors", "cache", "agents", "spar_tui")


@pytest.fixture(scope="module")
def imports() -> dict[str, frozenset[str]]:
    """What each module imports, for types only and inside functions included."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return {module: frozenset(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def test_no_two_files_need_each_other(imports: dict[str, frozenset[str]]) -> None:
    """Whoever has no imports left is taken away, again and again: what stays stands in a circle."""
    left = dict(imports)
    while bare := [module for module, needed in left.items() if not needed & left.keys()]:
        for module in bare:
            del left[module]
    assert not left, sorted(left)


def test_ways_through_the_house_stay_short(imports: dict[str, frozenset[str]]) -> None:
    @cache
    def chain(module: str) -> tuple[str, ...]:
        return (module, *max((chain(needed) for needed in imports[module]), key=len, default=()))

    longest = max(map(chain, imports), key=len)
    assert len(longest) <= LONGEST_CHAIN, " > ".join(longest)


def test_no_two_classes_share_a_name() -> None:
    """Classes inside a class count with it: a widget's messages have its name."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    names = Counter(node.name for file in files for node in ast.parse(file.read_text("utf-8")).body
                    if isinstance(node, ast.ClassDef))  # fmt: skip
    assert not [name for name, number in names.items() if number > 1]


def test_the_tree_in_the_docs_names_only_what_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    tree = text.partition("## The tree")[2].split("```")[1]
    package, missing = "", []
    for line in filter(None, tree.splitlines()):
        if not line.startswith(" "):
            package = line.split("/")[0]
        there = {path.stem for path in (ROOT / package).rglob("*") if "__pycache__" not in path.parts}
        names = [name.strip(" ()…/") for name in re.split(r"\s{2,}|[()]|/ ", line)]
        missing += [f"{package}: {name}" for name in names if name and " " not in name and Path(name).stem not in there
                    and name != package]  # fmt: skip
    assert not missing


def _called(node: ast.AST) -> str:
    """The name of the function that `node` calls, without what it belongs to."""
    return getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""


@cache
def calls_and_coroutines() -> list[tuple[Path, ast.Call | ast.AsyncFunctionDef]]:
    """The calls and the asynchronous functions of `spar_tui`, each with its file."""
    files = sorted((ROOT / "spar_tui").rglob("*.py"))
    nodes = ((file, node) for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return [(file, node) for file, node in nodes if isinstance(node, ast.Call | ast.AsyncFunctionDef)]


def _depends_on_speed(node: ast.AST) -> bool:
    """Whether `node` measures how long something takes, or gives up waiting before `PATIENCE` is over."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and not isinstance(node.right, ast.Constant):
        return _called(node.left) in CLOCKS
    if isinstance(node, ast.Compare):
        return any(_called(part) in CLOCKS for part in ast.walk(node))
    if not isinstance(node, ast.Call):
        return False
    limits = [*(node.args if _called(node) in WAITS else ()), *(k.value for k in node.keywords if k.arg == "timeout")]
    values = [limit.value for limit in limits if isinstance(limit, ast.Constant)]
    return any(isinstance(value, int | float) and value < PATIENCE for value in values)


def test_no_test_depends_on_how_fast_the_machine_is() -> None:
    """Work is counted (`tests/work.py`), and limits of time are there against hanging alone."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    texts = ((file, file.read_text("utf-8")) for file in files)
    nodes = ((file, node) for file, text in texts if LIMITED.search(text) for node in ast.walk(ast.parse(text)))
    assert [f"{file}:{node.lineno}" for file, node in nodes if _depends_on_speed(node)] == []  # type: ignore[attr-defined]


def test_no_worker_is_given_a_coroutine() -> None:
    """A worker that is cancelled before it begins would never await a coroutine, so pass a function that creates it."""
    given = [
        (path, node.lineno, node.args[0])
        for path, node in calls_and_coroutines()
        if isinstance(node, ast.Call) and _called(node) == "run_worker"
    ]
    assert [(path.name, line) for path, line, worker in given if _called(worker) not in ("", "partial")] == []


def test_no_timer_awaits_what_may_block() -> None:
    """A timer's callback runs among the messages of a widget: while it awaits a thread, no key is answered."""
    nodes = [node for _, node in calls_and_coroutines()]
    timers = [node for node in nodes if isinstance(node, ast.Call) and _called(node) in ("set_interval", "set_timer")]
    callbacks = {part.attr for timer in timers for part in ast.walk(timer) if isinstance(part, ast.Attribute)}
    asynchronous = [node for node in nodes if isinstance(node, ast.AsyncFunctionDef) and node.name in callbacks]
    assert [node.name for node in asynchronous if "work" not in map(_called, node.decorator_list)] == []
