"""The shelf as a whole."""

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import plan, step

_WHAT = (
    "[{show}|open|what is|what do i have|what have i [got]|what are|which papers are|what papers are|what "
    "papers do i have|let me see|what all is]"
)
OWN_SHELF = (
    Rule(Phrases("""
        (what|which paper|which one) (did i|have i|was) [i] (save/saved/add/added/bookmark/put) [to|on|onto]
            [{saved_shelf}]
            (last|most recently|latest)
        [{show}] [the|my] (last|latest|most recently|newest|most recent) (saved|added|bookmarked) (paper|one|
            article)
        [{show}] the [paper|one] [that] i (saved|added) (last|most recently)
        [{show}] my (last|latest|most recent) (addition|save)
        [{show}] [the|my] (last|latest|most recent) (paper|one|article|thing) [that|which] (i|i have) [just]
            (saved|added
            |bookmarked|put on my shelf)
    """), lambda slots, scene: plan(step("shelf", limit=1), onward=False)),
    Rule(Phrases(f"""
        {_WHAT} [all] [of] [the|what is|everything|papers|the papers|what i have] [that is] [on|in] {{saved_shelf}}
            [now]
        (what|which papers|everything|all|all papers|the papers|papers|which) [that] (have i|did i|i have|i)
            [already|ever|most recently|recently|last] (saved/save/bookmarked|put on my shelf|added)
            [so far|already|until now|lately|[most] recently|last]
        [{{show}}] (everything|all|what|all papers|the papers|papers) [that] (i have|i) (saved/bookmarked) [so far]
        [{{show}}] my saved [papers|ones|stuff|articles]
        [{{show}}|{{what_is}}|which are|and] [the|my] (last|latest|newest|most recent|most recently)
            (papers|articles|ones|things|works) [that|which] (i|i have) [just] (saved|added|bookmarked|put on my shelf)
        [{{show}}|{{what_is}}|which are] [the|my] (last|latest|newest|most recent|most recently) [few]
            (saved|added|bookmarked) <:papers>
        [{{show}}|{{what_is}}|which are] [the|my] (last|latest|newest|most recent) [few] (additions|saves) [to
            {{saved_shelf}}]
        {_WHAT} [all] [of] {{saved_shelf}} (last saved first|most recently saved first|the last saved first|by date
            saved|by when i saved
            (them|it)|in the order i saved them|sorted by date saved|newest saved first)
    """), lambda slots, scene: plan(step("shelf"), onward=False)),
    Rule(Phrases("""
        [{show}] [my|the|all|which|what] [all] unread [papers|ones|articles|stuff] [{on_shelf}] [do i have|are
            there|i have|have i got|do i still have]
        what [else] [{on_shelf}] (have i not|did i not|i have not|have not i|do i (still|yet) have to|have i yet to|
            do i still need to|is still to be|is left to|is yet to be) read [yet] [{on_shelf}]
        what {on_shelf} [is] (have i not read|is unread|is not read|have not i read|have i left unread|do i (still
            have|have left|still need) to read|i have not read) [yet]
        what is [still|left] unread [{on_shelf}]
        [{show}] [my|the|all] [all] unread [papers|ones|articles|stuff] [{on_shelf}] [with|by|in the order of]
            [the|those|
            the ones|what] [that] [i] [have] [saved|last|most recently|latest] (last|saved|most recently saved|added|the
            last) [last|most recently|first] [at the top|first|on top|in front|up front]
        (what|which papers) (have i [got]|do i have) [{on_shelf}] [that|which] (is|are) [still] (unread|not read) [yet]
        [what is] [on] my reading list
        (what|which papers) (is|are|do i have) [left|still] [to read|to be read|waiting|unread] [{on_shelf}]
    """), lambda slots, scene: plan(step("shelf", unread=True), onward=False)),
    Rule(Phrases("""
        [{show}] [the|my] (last|latest|most recently|newest|most recent) <n:number> (saved|added|bookmarked)
            <:papers>
        [{show}] the <n:number> [papers|ones] [that] i (saved|added) (last|most recently)
        [{show}] [the|my] <n:number> (last|latest|most recently|most recent) (saved|added|bookmarked) <:papers>
        (what|which) <n:number> [papers] did i save last
        [{show}] [the|my] (last|latest|most recent|newest) <n:number> (papers|articles|ones|things) [that|which] (i|i
            have)
            [just] (saved|added|bookmarked|put) [to my shelf|on my shelf]
        [{show}] [the|my] (last|latest|most recent|newest) <n:number> (additions|saves) [to my shelf]
        [{show}] [the|my] <n:number> [most] recent (additions|saves|saved papers)
        [{show}] [the] first <n:number> (papers|ones|articles) (on|of|from|in) {saved_shelf} [last saved first|newest
            first|by date saved|most recently
            saved first|the last saved first]
        [{show}] [the] first <n:number> (papers|ones|articles) [that] i (saved|have saved) last
        [{show}] <n:number> (papers|ones|articles) (on|of|from|in) {saved_shelf} (last saved first|most recently saved
            first|the last saved first)
    """), lambda slots, scene: plan(step("shelf", limit=number_of(slots["n"])), onward=False)),
)  # fmt: skip
