"""The tutorial does what it says: its commands are run as they stand there, in their order, in one home."""

import os
import re
import shlex
import subprocess
from pathlib import Path

from tests.services import Services
from tests.spar_tui.bibliography.validators import needed
from tests.spar_tui.running import PATIENCE, environment, forked

ROOT = Path(__file__).parents[1]
COMMANDS = "\n".join(re.findall(r"```sh\n(.+?)```", (ROOT / "docs/first-hour.md").read_text("utf-8"), re.DOTALL))
FOUND_SOMETHING = "spar check refs.bib"


@needed("latexmk", "pdflatex", "bibtex")
def test_the_first_hour_goes_from_a_question_to_a_pdf_with_all_its_citations(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "spar").write_text(f'#!/bin/sh\nexec {shlex.join(forked())} "$@"\n')
    (programs / "spar").chmod(0o755)
    assert FOUND_SOMETHING in COMMANDS
    with Services() as services:
        variables = environment(tmp_path, services.environment)
        ran = subprocess.run(
            ["sh", "-e"],
            input=COMMANDS.replace(FOUND_SOMETHING, f"{FOUND_SOMETHING} || test $? = 1 -o $? = 4"),
            env=variables | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
        )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "refs.bib").read_text("utf-8").count("\n@") + 1 == 3
    assert (tmp_path / "rag.pdf").read_bytes().startswith(b"%PDF-")
    cited = {
        key for keys in re.findall(r"\\cite\{(.+?)\}", (tmp_path / "rag.tex").read_text()) for key in keys.split(",")
    }
    listed = set(re.findall(r"\\bibitem\[.*?\]\{(.+?)\}", (tmp_path / "rag.bbl").read_text(), re.DOTALL))
    assert cited == listed != set()
    assert not re.search(r"^! |undefined", (tmp_path / "rag.log").read_text("latin-1"), re.MULTILINE)
