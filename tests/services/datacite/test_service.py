"""DataCite's stand-in: one record for one DOI, and what is not there told in its own frame."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest

from tests.services import Services
from tests.services.datacite.service import DATA


def test_one_doi_brings_one_record(services: Services, client: httpx.Client) -> None:
    reply = client.get(f"{services.url('datacite')}/dois/{quote(DATA, safe='')}")
    assert (reply.status_code, reply.json()["data"]["type"]) == (200, "dois")
    assert reply.json()["data"]["attributes"]["types"]["resourceTypeGeneral"] == "Dataset"
    assert services.violations == []


def test_what_is_not_there_is_a_404_in_its_own_words(services: Services, client: httpx.Client) -> None:
    reply = client.get(f"{services.url('datacite')}/dois/10.5555%2Fnowhere")
    assert reply.status_code == 404
    assert reply.json()["errors"][0]["title"] == "The resource you are looking for doesn't exist."
    assert services.violations == []


@pytest.mark.parametrize("target", ["/dois?query=seals", f"/dois/{DATA}", f"/dois/{quote(DATA, safe='')}?mailto=a@b.c"])
def test_anything_but_a_look_up_of_an_encoded_doi_is_a_breach(
    target: str, services: Services, client: httpx.Client
) -> None:
    client.get(f"{services.url('datacite')}{target}")
    assert len(services.violations) == 1
