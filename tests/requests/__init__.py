"""The examination of the assistant: requests over the taxonomy of conversations, with what is right for each.

The open ones (`open.jsonl`) have all been used to better it, so they are no examination any more: 160 were written
before the assistant was built, of which 80 were sealed and put to it once when it was done; 400 more are the second to
the sixth sealed set, 80 each, each put to it once and then opened; 160 are two development sets of 80, by two further
writers, each put to it once before anybody looked at them. Beside them stand four more development sets of 440 requests
(`development.jsonl`: `devc` and `devd` 120 each, `deve` 80, `devf` 120, each by another writer and put once before
anybody looked at it).

The 80 that are sealed now (`sealed.bin`, see `seal.py`) are a seventh set. They were written after the sixth had been
used, by somebody who had not seen the rules by which the assistant understands nor what it made of any request, with as
many of each group as 80 of the first. A second reader, who had seen neither the right results nor the rules, answered
all 96 of them as well: one on which the two differed in earnest was left out, so was one that stands word for word
among the open ones, and 80 of the others were kept. They were put to it once, when the rules were done for the time
being.

- `world.fill(store)` makes the library that they are put to; the time is `world.NOW`, no source answers, no model.
- `requests.read_open()`, `requests.read_sealed()`: the requests, with the accepted plans and the right results, which
  were computed from the records by conditions written for each request, not by code of the assistant.
- `requests.grade(request, outcome)`: (plan right, result right, what was wrong), from an `Outcome` that the examiner
  fills from a turn of the assistant.

Each request gets a world of its own (a copy of one filled file does): the lines of `dialog` are said first, then
`message`. `Outcome.before` is `world.state` of the world as filled.

How the contract is read where it leaves a choice:

- A request is for the library unless it says search, find new, look for … or names a source; "my papers", "saved" and
  "on my shelf" are the shelf, "papers" and "the library" all that was ever found.
- "Since Y" and "from Y on" hold in Y, "after Y" begins with the next year, "before Y" ends with the year before, "until
  Y" and "up to Y" hold in Y; "more than n" is without n, "at least n" with it.
- A paper whose citations or date are unknown meets no condition on them; an average leaves it out.
- An author is meant by the family name, whole, whoever else bears it; a venue by its name or its usual short name
  (NeurIPS, ICLR, ICML, KDD, CVPR, EMNLP, SIGIR).
- What a topic's phrase names may be told by a hard condition (`filter` by words) or a soft one (`resemble`), so it is
  graded by what must and what must not be in it.
- "These", "those", "the second" speak of what the last answer listed, in its order; `take` before the step is as right.
- A yes carries out the step that waits: its plan is that step again, or nothing.
- Last week is the calendar's, Monday to Sunday.
"""
