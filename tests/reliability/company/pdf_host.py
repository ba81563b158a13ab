"""A server with the PDFs that `spar fetch` downloads."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePath
from threading import Thread

from tests.connectors.pdf.writing import pdf
from tests.reliability.company.verbs import title


class _PdfPages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = pdf([[(72.0, 700.0, title(int(PurePath(self.path).stem))), (72.0, 640.0, "Ada Verb")]])
        self.send_response(200)
        self.send_header("Content-Type", "application/pdf")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        pass


@contextmanager
def pdf_host() -> Iterator[str]:
    """Yield the address of a host whose file `/7.pdf` is the paper `title(7)`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _PdfPages)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
