"""`spar fetch` as a person uses it, with hosts of PDFs on this machine."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from cache import papers, shelf
from cache.store import Store
from connectors.paper import Paper
from tests.agents.scripted import paper
from tests.connectors.pdf.writing import many_pages, pdf
from tests.services import Services, Terms, Work
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import PATIENCE, environment, forked, forked_python, wait_until

TITLE = "Attention Is All You Need"
GOOD = pdf([[(72.0, 700.0, "Attention Is All"), (72.0, 680.0, "You Need"), (72.0, 640.0, "Ashish Vaswani")]])
OTHER = pdf([[(72.0, 700.0, "A Survey of Birds"), (72.0, 600.0, "References"), (72.0, 580.0, TITLE)]])
PAGE = b"<!doctype html><html><title>Log in</title><body>Please log in to read.</body></html>"


@dataclass
class Host:
    """Serves what `replies` says by path: a status, a content type and a body."""

    url: str = ""
    replies: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    """Until then `/slow.pdf` is not answered."""


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host.asked.append(self.path)
            if self.path == "/slow.pdf":
                host.over.wait(PATIENCE)
            status, kind, body = host.replies.get(self.path, (404, "text/plain", b"gone"))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    host.url = f"http://127.0.0.1:{server.server_port}"
    yield host
    host.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


def attention(host: Host, path: str | None = "/a.pdf", name: str = "10.1000/attention") -> Paper:
    return paper(TITLE, name, author="Ashish Vaswani", date="2017", pdf=f"{host.url}{path}" if path else None)


def known(home: Path, *found: Paper) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        papers.remember(store, found)


def fetch(home: Path, host: Host, *arguments: str) -> CompletedProcess[str]:
    return spar(home, "fetch", *arguments, more={"SPAR_ARXIV_URL": host.url})


def test_a_pdf_is_kept_under_the_citation_key_and_opened_from_there(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    ran = fetch(tmp_path, host, "10.1000/attention")
    file = tmp_path / "spar" / "papers" / "vaswaniAttentionAllYou2017.pdf"
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"is saved: {file}" in ran.stdout
    assert "The paper is on the shelf now." in ran.stdout
    assert file.read_bytes() == GOOD
    opened = spar(tmp_path, "open", "vaswaniAttentionAllYou2017", "--pdf", "--offline", more={"BROWSER": "true"})
    assert opened.stdout == f"{file}\n"


ELSEWHERE = {"SPAR_OPENALEX_URL": "http://192.0.2.1:9"}
"""One source of those in use is not on this machine."""


def test_a_mirror_on_this_machine_hands_out_its_pdfs_whatever_other_sources_are(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    ran = spar(tmp_path, "fetch", "10.1000/attention", more={"SPAR_ARXIV_URL": host.url, **ELSEWHERE})
    assert (ran.returncode, host.asked) == (0, ["/a.pdf"]), ran.stderr


def test_another_service_of_this_machine_is_not_asked_because_a_record_says_so(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    ran = spar(tmp_path, "fetch", "10.1000/attention", more={"SPAR_ARXIV_URL": "http://127.0.0.1:9", **ELSEWHERE})
    assert (ran.returncode, host.asked) == (1, [])
    assert "only https to a public host is" in ran.stderr


def test_what_is_here_is_not_fetched_again_unless_asked(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    fetch(tmp_path, host, "10.1000/attention")
    ran = fetch(tmp_path, host, "10.1000/attention")
    assert (ran.returncode, "is here already" in ran.stdout, host.asked) == (0, True, ["/a.pdf"])
    assert fetch(tmp_path, host, "10.1000/attention", "--again").returncode == 0
    assert host.asked == ["/a.pdf", "/a.pdf"]


def test_the_next_place_is_tried_where_the_first_has_no_pdf_of_the_paper(host: Host, tmp_path: Path) -> None:
    host.replies |= {"/a.pdf": (200, "text/html", PAGE), "/pdf/1706.03762": (200, "application/pdf", GOOD)}
    known(tmp_path, paper(TITLE, "arxiv:1706.03762", author="Ashish Vaswani", pdf=f"{host.url}/a.pdf"))
    ran = fetch(tmp_path, host, "arxiv:1706.03762", "--to", str(tmp_path / "kept"))
    assert ran.returncode == 0
    assert f"from {host.url}/pdf/1706.03762" in ran.stdout
    assert [file.read_bytes() for file in (tmp_path / "kept").iterdir()] == [GOOD]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ((200, "application/pdf", OTHER), "is of another paper: its first pages do not show this title"),
        ((200, "text/html", PAGE), "web page"),
        ((403, "text/html", PAGE), "cannot be downloaded by programs (HTTP 403)"),
        ((404, "text/plain", b""), "has no such PDF (HTTP 404)"),
        ((200, "application/pdf", b"%PDF-1.7 cut short"), "damaged"),
        ((200, "application/pdf", pdf([[]])), "cannot check whether it is of this paper"),
    ],
)
def test_what_is_not_the_papers_pdf_is_refused_with_the_reason(
    reply: tuple[int, str, bytes], why: str, host: Host, tmp_path: Path
) -> None:
    host.replies["/a.pdf"] = reply
    known(tmp_path, attention(host))
    ran = fetch(tmp_path, host, "10.1000/attention", "--to", str(tmp_path / "kept"))
    assert ran.returncode == 1
    assert f"doi:10.1000/attention: {host.url}/a.pdf" in ran.stderr
    assert why in ran.stderr
    assert not (tmp_path / "kept").exists()
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert shelf.shelf(store) == []


def test_a_pdf_without_text_is_kept_unchecked_if_the_person_says_so(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", pdf([[]]))
    known(tmp_path, attention(host))
    ran = fetch(tmp_path, host, "10.1000/attention", "--unchecked")
    assert ran.returncode == 0
    assert "Its title was not checked." in ran.stdout
    assert "Its text cannot be searched: it has no text: its pages are scanned images." in ran.stdout
    again = fetch(tmp_path, host, "10.1000/attention")
    assert "is here already" in again.stdout
    assert "it has no text" in again.stdout
    assert spar(tmp_path, "library", "attention", "in:fulltext").returncode == 3


def test_the_text_of_what_is_kept_is_found_with_its_page(host: Host, tmp_path: Path) -> None:
    second = [(72.0, 700.0, "We train en-"), (72.0, 688.0, "coders, \x07efﬁciently."), (72.0, 676.0, "<b>Done.</b>")]
    host.replies["/a.pdf"] = (200, "application/pdf", pdf([[(72.0, 700.0, TITLE)], second]))
    known(tmp_path, attention(host))
    assert "You can search its text (2 pages)." in fetch(tmp_path, host, "10.1000/attention").stdout
    found = spar(tmp_path, "library", "encoder", "efficient", "in:fulltext")
    assert found.returncode == 0
    assert "The paper says on page 2 of its PDF: “We train encoders, " in found.stdout
    assert "\x07" not in found.stdout
    assert "1 full text searched" in found.stderr
    [told] = answer(tmp_path, "library", "done", "in:fulltext")["papers"]
    [passage] = told["passages"]
    assert (passage["page"], passage["text"][-5:]) == (2, "Done.")
    line = spar(tmp_path, "library", "encoders", "in:fulltext", "--format", "{page} {passage}")
    assert line.stdout.startswith("2 We train encoders, ")
    assert spar(tmp_path, "library", "encoders").returncode == 3
    assert spar(tmp_path, "shelf", "encoders", "in:fulltext").returncode == 0


def test_the_text_of_a_pdf_that_is_here_is_read_when_it_is_asked_for(host: Host, tmp_path: Path) -> None:
    """As for what was kept before texts were, or noted by the person."""
    file = tmp_path / "mine.pdf"
    file.write_bytes(GOOD)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        [number] = shelf.save(store, [attention(host)])
        shelf.set_files(store, number, [str(file)])
    none = spar(tmp_path, "library", "vaswani", "in:fulltext")
    assert none.returncode == 3
    assert "no full texts are stored; 1 saved paper has a PDF not read yet; spar fetch PAPER reads it" in none.stderr
    ran = fetch(tmp_path, host, "10.1000/attention")
    assert f"is here already: {file}. You can search its text (1 page)." in ran.stdout
    assert host.asked == []
    assert spar(tmp_path, "library", "vaswani", "in:fulltext").returncode == 0
    file.write_bytes(pdf([[(72.0, 700.0, TITLE), (72.0, 600.0, "Now with zebrafish.")]]))
    fetch(tmp_path, host, "10.1000/attention")
    assert spar(tmp_path, "library", "zebrafish", "in:fulltext").returncode == 0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (OTHER, "it is of another paper: its first pages do not show this title."),
        (b"%PDF-1.7 cut short", "it is damaged"),
        (pdf([[]]), "it has no text"),
        (many_pages(2_001, b"BT ET"), "it has more than 2,000 pages, the limit."),
    ],
    ids=["of another paper", "damaged", "scanned", "too many pages"],
)
def test_a_file_here_whose_text_cannot_be_had_is_named_and_never_quoted(
    data: bytes, why: str, host: Host, tmp_path: Path
) -> None:
    file = tmp_path / "mine.pdf"
    file.write_bytes(data)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        [number] = shelf.save(store, [attention(host)])
        shelf.set_files(store, number, [str(file)])
    ran = fetch(tmp_path, host, "10.1000/attention")
    assert ran.returncode == 0
    assert f"Its text cannot be searched: {why}" in ran.stdout
    assert spar(tmp_path, "library", "in:fulltext").returncode == 3
    assert file.read_bytes() == data


def test_the_person_can_vouch_for_a_file_that_does_not_show_the_title(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "mine.pdf"
    file.write_bytes(OTHER)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        [number] = shelf.save(store, [attention(host)])
        shelf.set_files(store, number, [str(file)])
    assert "You can search its text (1 page)" in fetch(tmp_path, host, "10.1000/attention", "--unchecked").stdout


def test_a_paper_taken_off_the_shelf_is_no_longer_found_by_its_text(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    fetch(tmp_path, host, "10.1000/attention")
    spar(tmp_path, "unsave", "10.1000/attention")
    gone = spar(tmp_path, "library", "vaswani", "in:fulltext")
    assert (gone.returncode, "no full texts are stored" in gone.stderr) == (3, True)


@pytest.mark.skipif(sys.platform == "win32", reason="the size of files cannot be limited there")
def test_a_disk_that_is_full_keeps_the_pdf_and_says_that_its_text_is_not_kept(host: Host, tmp_path: Path) -> None:
    page = [(72.0, 700.0, TITLE), *((72.0, 680.0 - 8 * place, f"{place} says words " * 20) for place in range(80))]
    host.replies["/a.pdf"] = (200, "application/pdf", pdf([page] * 60))
    known(tmp_path, attention(host))
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000));"
    full += "import sys; sys.dont_write_bytecode = True;"  # or half a module could be left
    start = "from spar_tui.__main__ import main; main()"
    ran = subprocess.run(
        forked_python("-c", full + start, "fetch", "10.1000/attention"),
        env=environment(tmp_path, {"SPAR_ARXIV_URL": host.url}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "its PDF is saved (" in ran.stderr
    assert "but not its text. The library " in ran.stderr
    assert [file.stat().st_size > 0 for file in (tmp_path / "spar" / "papers").iterdir()] == [True]
    assert spar(tmp_path, "library", "in:fulltext").returncode == 3
    assert "You can search its text (60 pages)." in fetch(tmp_path, host, "10.1000/attention").stdout


def test_papers_by_tag_are_fetched_and_each_failure_is_named(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    closed = paper("A closed paper", "10.1000/closed")
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        shelf.save(store, [attention(host), closed], ["rag"])
    ran = fetch(tmp_path, host, "--tag", "rag")
    assert ran.returncode == 1
    assert "is saved" in ran.stdout
    said = "spar: doi:10.1000/closed: no open-access PDF is known; `spar open doi:10.1000/closed` opens its page."
    assert ran.stderr.startswith(said)
    assert "openalex failed: it cannot be reached" in ran.stderr


def test_a_paper_without_identifier_or_page_is_named_by_its_title(host: Host, tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        shelf.save(store, [Paper(title="A Closed Thesis")], ["rag"])
    assert "“A Closed Thesis”: no open-access PDF is known.\n" in fetch(tmp_path, host, "--tag", "rag").stderr


def test_a_file_of_somebody_else_is_left_alone(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    file = tmp_path / "vaswaniAttentionAllYou2017.pdf"
    file.write_bytes(b"mine")
    ran = fetch(tmp_path, host, "10.1000/attention", "--to", str(tmp_path))
    assert (ran.returncode, "exists and is another file; it was not changed" in ran.stderr) == (1, True)
    assert file.read_bytes() == b"mine"
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert shelf.shelf(store) == []


def test_nothing_is_fetched_offline_or_for_nobody(host: Host, tmp_path: Path) -> None:
    assert fetch(tmp_path, host).returncode == 2
    assert fetch(tmp_path, host, "--tag", "none").returncode == 3
    spar(tmp_path, "config", "set", "offline", "yes")
    assert fetch(tmp_path, host, "10.1000/attention").returncode == 2
    assert host.asked == []


def test_what_is_interrupted_says_how_many_were_kept(host: Host, tmp_path: Path) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    other = paper("A slow paper", "10.1000/slow", pdf=f"{host.url}/slow.pdf")
    known(tmp_path, attention(host), other)
    with subprocess.Popen(
        forked("fetch", "10.1000/attention", "10.1000/slow"),
        env=environment(tmp_path, {"SPAR_ARXIV_URL": host.url}),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_until(lambda: "/slow.pdf" in host.asked)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        told = process.stderr.read().decode()
    assert (process.returncode, told) == (130, "spar: interrupted after 1 complete PDF.\n")
    assert [file.read_bytes() for file in (tmp_path / "spar" / "papers").iterdir()] == [GOOD]


# Unpaywall


@pytest.fixture
def unpaywall(host: Host) -> Iterator[Services]:
    with Services(terms=Terms(unpaywall_copies=f"{host.url}/{{number}}.pdf")) as running:
        yield running


def open_work(services: Services) -> Work:
    return next(one for one in services.corpus.works if one.doi and not one.arxiv and one.open_access
                and one.title.isascii() and len(one.title) < 60)  # fmt: skip


def held(work: Work, **more: str) -> Paper:
    """The record of a work, as it came without an address of a PDF."""
    return paper(work.title, work.doi or "", author=work.authors[0].name, date=work.date, **more)


def asking(home: Path, host: Host, services: Services, name: str, email: str = "me@uni.test") -> CompletedProcess[str]:
    more = {"SPAR_ARXIV_URL": host.url, "SPAR_UNPAYWALL_URL": services.url("unpaywall")}
    return spar(home, "fetch", name, more=more | ({"NCBI_EMAIL": email} if email else {}))


@pytest.mark.parametrize("recorded", [False, True])
def test_a_copy_that_unpaywall_knows_is_kept_where_the_record_leads_nowhere(
    recorded: bool, host: Host, unpaywall: Services, tmp_path: Path
) -> None:
    work = open_work(unpaywall)
    host.replies[f"/{work.number}.pdf"] = (200, "application/pdf", pdf([[(72.0, 700.0, work.title)]]))
    known(tmp_path, held(work, **({"pdf": f"{host.url}/gone.pdf"} if recorded else {})))
    ran = asking(tmp_path, host, unpaywall, work.doi or "")
    assert ran.returncode == 0, ran.stderr
    assert f"from {host.url}/{work.number}.pdf" in ran.stdout
    assert host.asked == ["/gone.pdf"] * recorded + [f"/{work.number}.pdf"]
    assert [request.parameters["email"] for request in unpaywall.log] == ["me@uni.test"]
    assert unpaywall.violations == []


def test_unpaywall_is_not_asked_where_the_record_has_it_or_arxiv(
    host: Host, unpaywall: Services, tmp_path: Path
) -> None:
    host.replies["/a.pdf"] = (200, "application/pdf", GOOD)
    known(tmp_path, attention(host))
    assert asking(tmp_path, host, unpaywall, "10.1000/attention").returncode == 0
    assert unpaywall.log == []


def test_without_an_address_of_the_person_unpaywall_is_unasked_and_called_so(
    host: Host, unpaywall: Services, tmp_path: Path
) -> None:
    work = open_work(unpaywall)
    known(tmp_path, held(work))
    ran = asking(tmp_path, host, unpaywall, work.doi or "", email="")
    assert (ran.returncode, unpaywall.log) == (1, [])
    assert "unpaywall was not asked: it requires your mail address" in ran.stderr
    assert "knows no free PDF" not in ran.stderr


@pytest.mark.parametrize(
    ("name", "email", "said"),
    [
        ("closed", "me@uni.test", "Unpaywall knows no free PDF of it."),
        ("10.5555/nowhere", "me@uni.test", "unpaywall does not know this DOI."),
        ("open", "me@example.com", "unpaywall failed: it refused your mail address"),
    ],
)
def test_what_unpaywall_said_is_told_where_nobody_has_the_pdf(
    name: str, email: str, said: str, host: Host, unpaywall: Services, tmp_path: Path
) -> None:
    closed = next(one for one in unpaywall.corpus.works if one.doi and not one.arxiv and not one.open_access)
    record = {"closed": held(closed), "open": held(open_work(unpaywall))}.get(name) or paper("Nowhere to be had", name)
    known(tmp_path, record)
    ran = asking(tmp_path, host, unpaywall, record.id.removeprefix("doi:"), email=email)
    assert ran.returncode == 1
    assert said in ran.stderr
    assert "no open-access PDF is known" in ran.stderr
