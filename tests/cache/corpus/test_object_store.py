from pathlib import Path

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

import httpx

from cache.corpus.index import Index
from cache.corpus.ingest import build
from cache.corpus.rows import WorkFilter
from cache.corpus.table import CorpusUnreachable, Database, NoCorpus
from connectors.identifiers import Identifier
from tests.cache.corpus.dumps import work, written


def test_a_corpus_lies_in_a_bucket_as_well_as_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = pytest.importorskip("moto.server", reason="no local S3 server (moto[server]) is installed")
    s3 = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    s3.start()
    try:
        host, port = s3.get_host_and_port()
        address = f"http://{host}:{port}"
        told = {"ENDPOINT": address, "ALLOW_HTTP": "true", "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b"}
        for name, value in (told | {"REGION": "us-east-1"}).items():
            monkeypatch.setenv(f"AWS_{name}", value)
        httpx.put(f"{address}/lab")
        place = "s3://lab/corpus"
        with pytest.raises(NoCorpus):
            Index(place)
        [one] = build(place, [written(tmp_path / "works.gz", map(work, range(1, 50)))], WorkFilter(), lambda file: None)
        assert one.works == 49
        index = Index(place)
        assert index.info().works == 49
        assert index.search("matter7")
        cited, total = index.references(index.lookup([Identifier("doi", "10.5555/w7")]), 5)
        assert ([paper.id for paper in cited], total) == (["doi:10.5555/w6"], 1)
        Database(place).drop()
        with pytest.raises(NoCorpus):
            Index(place)
        with pytest.raises(CorpusUnreachable, match="AWS_ENDPOINT"):
            Index("s3://none/corpus")
    finally:
        s3.stop()
