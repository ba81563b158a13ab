"""What the README shows from end to end does what it says, run as it stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.services import Services
from tests.spar_tui.bibliography.validators import needed
from tests.spar_tui.running import PATIENCE, environment

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
FROM_QUESTION_TO_PDF = README.partition("### From a question to a PDF")[2].split("```")[1].removeprefix("sh").strip()


def test_the_way_from_a_question_to_a_pdf_takes_four_commands_at_most() -> None:
    assert 1 < len(FROM_QUESTION_TO_PDF.splitlines()) <= 4


@needed("latexmk", "pdflatex", "bibtex")
def test_the_way_from_a_question_to_a_pdf_ends_at_one_with_all_its_citations(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    root = Path(__file__).parents[1]
    (programs / "spar").write_text(
        f'#!/bin/sh\nPYTHONPATH={root} exec {shlex.quote(sys.executable)} -m spar_tui "$@"\n'
    )
    (programs / "spar").chmod(0o755)
    with Services() as services:
        variables = environment(tmp_path, services.environment)
        ran = subprocess.run(
            ["sh", "-e"],
            input=FROM_QUESTION_TO_PDF,
            env=variables | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "rag.pdf").read_bytes().startswith(b"%PDF-")
    cited = {
        key for keys in re.findall(r"\\cite\{(.+?)\}", (tmp_path / "rag.tex").read_text()) for key in keys.split(",")
    }
    listed = set(re.findall(r"\\bibitem\[.*?\]\{(.+?)\}", (tmp_path / "rag.bbl").read_text(), re.DOTALL))
    assert cited == listed != set()
    assert not re.search(r"^! |undefined", (tmp_path / "rag.log").read_text("latin-1"), re.MULTILINE)
