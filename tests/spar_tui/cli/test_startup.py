"""What starting `spar` costs."""

import subprocess
import sys
from pathlib import Path

HEAVY = frozenset(
    "asyncio textual openai httpx httpx2 requests numpy lxml sqlite_utils pydantic rich Bio rapidfuzz sqlite3".split()
)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import runpy, sys\n"
        "sys.argv = ['spar', '--help']\n"
        "try:\n    runpy.run_module('spar_tui', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert "search" in ran.stdout
    assert not HEAVY & set(ran.stderr.split())


def test_the_rooms_below_the_face_load_without_it() -> None:
    script = (
        "import sys, agents.search.loop, agents.lookup.links\n"
        "import cache.cached_source, cache.local_source, connectors.registry\n"
        "assert not {'textual', 'typer', 'spar_tui'} & set(sys.modules), sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_putting_facts_into_words_loads_nothing_that_reads_questions() -> None:
    script = (
        "import sys, spar_tui.phrases\n"
        "assert not [name for name in sys.modules if name.startswith('agents.builtin.question_parsing')]\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])
