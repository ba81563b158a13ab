"""The client of a model's endpoint: the `openai` client with our limits, its errors turned into ours.

It sends each request once and follows no redirect, which would take the question to another host. It refuses replies
over `BODY_CAP` bytes or in an encoding that was not requested. It opens with the first question.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agents.llm.answers.replies import ModelReply, event_fault, fault, read_choice, read_reply, read_vectors
from agents.llm.config import HOSTED, ModelConfig
from agents.llm.errors import ModelDown, ModelError, ModelUnreachable, Rejected, TooSlow, Unusable
from connectors.http.json_values import listing, mapping
from connectors.trace import hooks, no_cookies

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

BODY_CAP = 8_000_000
CONNECT_SECONDS = 5.0
NO_KEY = "no-key-needed"
"""Key for servers that need none. The client requires a key and must not take another one from the environment."""

_OF_THE_MACHINE = tuple(f"X-Stainless-{what}" for what in ("OS", "Arch", "Runtime", "Runtime-Version"))
"""Headers with which the client would describe the person's machine to every endpoint; spar sends none of them."""


class ModelClient:
    """Sends requests to one endpoint. Belongs to one event loop; close it after use."""

    def __init__(self, access: ModelConfig) -> None:
        self._access = access
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()

    async def ask(self, subject: str, parameters: dict[str, Any]) -> ModelReply:
        """Return the complete reply to one request. Raises `ModelError`."""
        client = await self._opened(subject)
        with self._translated(subject):
            raw = await client.chat.completions.with_raw_response.create(**_as_it_is(parameters))
            response = raw.http_response
            return read_reply(subject, response.status_code, response.headers, response.content)

    async def stream(self, subject: str, parameters: dict[str, Any]) -> AsyncGenerator[ModelReply, None]:
        """Yield the reply in pieces, each a `ModelReply` with the new text; only the last has a `finish` other than "".
        A stream that closes without a `finish` was cut short. Raises `ModelError` at any point."""
        client = await self._opened(subject)
        with self._translated(subject):
            stream = await client.chat.completions.create(**_as_it_is(parameters), stream=True)
            if "event-stream" not in stream.response.headers.get("content-type", "event-stream"):
                body = await stream.response.aread()
                yield read_reply(subject, stream.response.status_code, stream.response.headers, body)
                return
            try:
                async for chunk in stream:
                    yield read_choice(mapping(chunk.to_dict(warnings=False)), "delta", {})
            finally:
                await stream.close()

    async def embed(self, subject: str, model: str, texts: Sequence[str]) -> "tuple[list[list[float]], int | None]":
        """Return the vectors of `texts`, in order, and the number of tokens read, if reported. Raises `ModelError`."""
        client = await self._opened(subject)
        with self._translated(subject):
            raw = await client.embeddings.with_raw_response.create(
                model=model, input=list(texts), encoding_format="float"
            )
            response = raw.http_response
            return read_vectors(subject, response.status_code, response.headers, response.content, len(texts))

    async def models(self, subject: str) -> list[str]:
        """Return the names of the models that the endpoint offers. Raises `ModelError`."""
        client = await self._opened(subject)
        with self._translated(subject):
            raw = await client.models.with_raw_response.list()
            try:
                body = raw.http_response.json()
            except ValueError:
                raise Unusable(f"{subject} does not list its models; name one with SPAR_MODEL.") from None
        names = (mapping(row).get("id") for row in listing(mapping(body).get("data")))
        return [name for name in names if isinstance(name, str) and name]

    async def close(self) -> None:
        """Close the connections; a second call does nothing."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _opened(self, subject: str) -> "AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                try:
                    # Loading the client takes most of a second, so it runs in a thread.
                    self._client = await asyncio.to_thread(_open, self._access)
                except (ValueError, OSError, ImportError) as error:
                    raise ModelUnreachable(
                        f"{subject} cannot be asked: the proxy or certificate settings of this machine are not usable "
                        f"({type(error).__name__}); check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE."
                    ) from None
            return self._client

    @contextmanager
    def _translated(self, subject: str) -> Iterator[None]:
        import httpx2
        import openai

        try:
            yield
        except _TooMuch as error:
            raise _refused(subject, error) from None
        except openai.APITimeoutError:
            raise TooSlow(f"{subject} did not answer in time; try again later.") from None
        except openai.APIConnectionError as error:
            raise self._unconnected(subject, error) from None
        except openai.APIStatusError as error:
            response = error.response
            raise fault(subject, response.status_code, response.headers, response.content) from None
        except openai.APIError as error:
            raise event_fault(subject, error.body) from None
        except (httpx2.InvalidURL, UnicodeError) as error:
            raise Rejected(f"{subject} cannot be asked ({type(error).__name__}); check OPENAI_BASE_URL.", "") from None
        except (openai.OpenAIError, httpx2.HTTPError, ValueError, AttributeError) as error:
            raise ModelDown(f"{subject} sent a damaged answer ({type(error).__name__}); try again later.") from None

    def _unconnected(self, subject: str, error: Exception) -> ModelError:
        import httpx2

        if isinstance(error.__cause__, _TooMuch):
            return _refused(subject, error.__cause__)
        if isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
            return ModelUnreachable(
                f"{subject} cannot be reached; is the server running, and is OPENAI_BASE_URL its address?"
                if self._access.base_url
                else f"{subject} cannot be reached; is this machine online?"
            )
        return ModelDown(f"{subject} lost the connection before its answer was complete; try again later.")


def _as_it_is(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that send `parameters`, pure JSON, without the library's conversion of every part."""
    return {"model": parameters["model"], "messages": [], "extra_body": parameters}


class _TooMuch(OSError):
    """A reply refused for its size or encoding."""


def _refused(subject: str, error: _TooMuch) -> Unusable:
    return Unusable(f"{subject} {error}", complaint="the answer was far too long.")


def _open(access: ModelConfig) -> "AsyncOpenAI":
    import httpx2
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # at INFO these loggers write whole addresses
    client = AsyncOpenAI(
        base_url=access.endpoint,
        api_key=access.key.reveal() if access.key else NO_KEY,
        max_retries=0,
        timeout=httpx2.Timeout(None, connect=min(CONNECT_SECONDS, access.seconds)),  # the caller sets the deadline
        default_headers={"Accept-Encoding": "identity", "User-Agent": "spar"},
        http_client=DefaultAsyncHttpxClient(
            follow_redirects=False,
            cookies=no_cookies(),
            event_hooks=hooks(_held_to_the_cap, before=[_without_the_machine]),
            trust_env=not access.on_this_machine,  # no proxy may read requests to this machine
        ),
    )
    if access.endpoint != HOSTED:  # organization and project from the environment belong to the hosted service only
        client.organization = client.project = None
    return client


async def _without_the_machine(request: "httpx2.Request") -> None:
    for name in _OF_THE_MACHINE:
        request.headers.pop(name, None)


async def _held_to_the_cap(response: "httpx2.Response") -> None:
    import httpx2

    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise _TooMuch("sent a reply in a compression that was not requested.")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    inner: httpx2.AsyncByteStream = response.stream

    class Capped(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in inner:
                size += len(chunk)
                if size > BODY_CAP:
                    raise _TooMuch(f"sent more than {BODY_CAP // 1_000_000} MB, the limit.")
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    response.stream = Capped()
