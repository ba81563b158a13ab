"""What is read so far of a request for papers."""

from dataclasses import dataclass, field
from typing import Any

from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.scene import Call, Scene, step


@dataclass
class Choice:
    """`every_tag` are tags that must be there beside one of the condition. `text` is what is left of the request;
    each reader takes out what it understood, and leaves a comma there so that
    what stood apart stays apart."""

    text: str
    scene: Scene
    conditions: dict[str, Any] = field(default_factory=dict)
    like: list[str] = field(default_factory=list)
    like_words: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    unlike_words: list[str] = field(default_factory=list)
    order: str = ""
    order_words: str = ""
    prefer: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)
    limit: int | None = None
    onward: bool = False
    contradiction: str = ""
    every_tag: tuple[str, ...] = ()

    def take(self, phrases: Phrases) -> Slots | None:
        """The first place where one of the phrases stands, which is then read."""
        found = phrases.find(self.text)
        if found is None:
            return None
        self.cut(found.start, found.end)
        return found.slots

    def cut(self, start: int, end: int) -> None:
        """Take a stretch of the text for read."""
        self.text = " ".join(f"{self.text[:start]} , {self.text[end:]}".split())

    def add(self, name: str, *values: str) -> None:
        """One more alternative, or one more phrase."""
        self.conditions[name] = tuple(dict.fromkeys((*self.conditions.get(name, ()), *values)))

    @property
    def is_soft(self) -> bool:
        return bool(self.like or self.like_words or self.unlike or self.unlike_words)

    @property
    def says_something(self) -> bool:
        return bool(self.conditions or self.is_soft or self.order)

    def calls(self) -> list[Call]:
        """The steps that choose and order, without showing."""
        calls = [Call("filter", self.conditions)] if self.conditions else []
        calls += [Call("filter", {"tags": (tag,)}) for tag in self.every_tag]
        if self.is_soft:
            calls.append(
                step("resemble", papers=self.like, unlike=self.unlike, words=" ".join(self.like_words),
                     unlike_words=" ".join(self.unlike_words))
            )  # fmt: skip
        if self.order:
            calls.append(
                step("rank", by=self.order, words=self.order_words, prefer=self.prefer, unwanted=self.unwanted)
            )
        return calls
