"""What starting `spar` costs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.library import copied
from tests.spar_tui.running import environment, spar

HEAVY = frozenset(
    "asyncio textual openai httpx httpx2 requests numpy lxml sqlite_utils pydantic rich Bio rapidfuzz sqlite3".split()
)


ROOT = Path(__file__).parents[3]


def said_and_loaded(*arguments: str, home: Path | None = None) -> tuple[str, set[str]]:
    """What `spar` with `arguments` prints, and the modules that it loads; in `home` if there is one."""
    script = (
        "import runpy, sys\n"
        f"sys.argv = ['spar', *{arguments!r}]\n"
        "try:\n    runpy.run_module('spar_tui', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    env = environment(home) if home else None
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, env=env)
    return ran.stdout, set(ran.stderr.split())


def verbs_among(modules: set[str]) -> set[str]:
    return {one for one in modules if one.startswith("spar_tui.cli.verbs.")}


def test_help_loads_nothing_heavy() -> None:
    said, loaded = said_and_loaded("--help")
    assert "search" in said
    assert not HEAVY & loaded


ONLINE = frozenset("httpx lxml openai connectors.pdf rich pygments".split())
"""What only those load who ask somebody elsewhere."""


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (("history",), {*ONLINE, "asyncio", "numpy"}),
        (("search", "attention in transformers", "--offline"), {*ONLINE, "agents.taste.fit", "numpy.ma"}),
        (("chat", "how many papers", "--offline"), {*ONLINE, "numpy"}),
        (("search", "attention in transformers", "--source", "arxiv"), {"rich", "pygments", "openai"}),
    ],
    ids=["history", "search offline", "chat offline", "search"],
)
def test_a_verb_loads_nothing_that_it_does_not_need(
    arguments: tuple[str, ...], unneeded: set[str], tmp_path: Path
) -> None:
    copied(tmp_path / "spar" / "spar.db")
    assert unneeded & said_and_loaded(*arguments, home=tmp_path)[1] == set()


def test_an_import_loads_nothing_that_reads_documents_or_merges_packs(tmp_path: Path) -> None:
    copied(tmp_path / "spar" / "spar.db")
    (tmp_path / "refs.bib").write_text("@misc{roe, title = {On sorting}, author = {Roe, Ada}}")
    said, loaded = said_and_loaded("import", str(tmp_path / "refs.bib"), home=tmp_path)
    assert said.endswith("1 new paper\n")
    assert {*ONLINE, "asyncio", "numpy", "spar_tui.sharing", "agents.run.runner"} & loaded == set()


def test_help_loads_no_verb_and_a_verb_no_other() -> None:
    assert verbs_among(said_and_loaded("--help")[1]) == set()
    assert verbs_among(said_and_loaded("cite", "--help")[1]) == {"spar_tui.cli.verbs.cite"}


def test_rubbish_is_seldom_looked_for() -> None:
    script = (
        "import gc, runpy, sys\n"
        "begun = []\n"
        "gc.callbacks.append(lambda phase, told: begun.append(told) if phase == 'start' else None)\n"
        "sys.argv = ['spar', 'search', '--help']\n"
        "try:\n    runpy.run_module('spar_tui', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "gc.disable()\n"
        "print(len(begun), file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert int(ran.stderr) < 30  # by what Python does of itself, 80


def test_putting_facts_into_words_loads_nothing_that_reads_questions() -> None:
    script = (
        "import sys, spar_tui.phrases\n"
        "assert not [name for name in sys.modules if name.startswith('agents.builtin.question_parsing')]\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_only_who_reads_questions_loads_their_reader() -> None:
    """Its patterns take longer to be made than all else that a list of papers needs."""
    script = (
        "import sys, spar_tui.cli.listing, agents.tools.paper_names, agents.recommendation.loop\n"
        "assert 'agents.builtin.question_parsing.question' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_the_app_draws_its_ask_line_without_what_papers_and_runs_need() -> None:
    script = (
        "import sys, spar_tui.tui.start\n"
        "later = {'cache.papers', 'cache.runs', 'connectors.paper', 'spar_tui.tui.widgets.below_ask'}\n"
        "assert not later & set(sys.modules), later & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_an_idle_app_without_runs_loads_nothing_that_runs_them(tmp_path: Path) -> None:
    copied(tmp_path / "spar" / "spar.db")
    code = """
import asyncio, sys
from spar_tui.settings import load_settings
from spar_tui.tui.app import SparApp
from spar_tui.workspace import open_store

async def main():
    settings = load_settings()
    with open_store(settings) as store:
        app = SparApp(settings, store)
        async with app.run_test() as pilot:
            while not (app.recommender.looked and app.screen.query("#next")):
                await pilot.pause()
            await app.screen.library_changed()
    print(*sys.modules)

asyncio.run(main())
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=environment(tmp_path)
    )
    assert not {"agents.run.runner", "numpy", "httpx2"} & set(ran.stdout.split())


def test_who_has_no_corpus_does_not_load_one(tmp_path: Path) -> None:
    script = (
        "import runpy, sys\n"
        "sys.argv = ['spar', 'similar', '10.1000/none', '--offline']\n"
        "try:\n    runpy.run_module('spar_tui', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "assert 'cache.local_source' in sys.modules\n"
        "assert not {'cache.corpus.source', 'connectors.openalex.source'} & set(sys.modules)\n"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", script], check=True, cwd=root, env=environment(tmp_path))


@pytest.mark.parametrize("module", ["connectors.records.visible", "spar_tui.errors", "spar_tui.cli.app"])
def test_ctrl_c_while_modules_are_imported_is_one_sentence(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
    )
    more = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    ran = spar(tmp_path, "shelf", more=more)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "spar: interrupted.\n")
