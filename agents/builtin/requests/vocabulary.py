"""The words that the rules know, by what they stand for."""

from agents.builtin.requests.spoken_sources import ANY_SOURCE

_ORDINAL_WORDS = (
    "first|1st second|2nd third|3rd fourth|4th fifth|5th sixth|6th seventh|7th eighth|8th ninth|9th tenth|10th".split()
)
ORDINALS = {word: place for place, words in enumerate(_ORDINAL_WORDS, 1) for word in words.split("|")}
NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), 1
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000, "couple": 2, "dozen": 12}

KNOWN = {
    "papers": (
        "paper/papers/article/articles/publication/publications/work/works/result/results/entry/entries/item/items"
        "/hit/hits/one/ones/study/studies/stuff/literature/records/contribution/contributions/pdf/pdfs"
    ),
    "paper": "paper/article/work/one/preprint/publication/result/entry/item/study",
    "show": "show/list/display/print/give/see/view/get/find/tell/read/fetch/name/enumerate/bring/pull [me|us] [up]",
    "what_is": "(what (is|are|was|were|does|do)|which is)",
    "these": (
        "(them/these/those all|[all|any|each|both] [of] these/those/them/they/theirs [{count}] [{papers}]"
        "|[all [of]] the (results|list|lot|candidates|whole list) [above|here|so far|shown|there]"
        "|the [above] {papers} (above|[you] [just] listed/shown/showed/found/there))"
    ),
    "count": "two/three/four/five/six/seven/eight/nine/ten/2/3/4/5/6/7/8/9/10",
    "saved_shelf": (
        "(my|the) [own|personal|whole|entire]"
        " (shelf|bookshelf|collection|bookmarks|reading list|saved papers|saved ones)"
    ),
    "shelf": "([my|the] shelf|[my|the] bookshelf|my library|my list|{saved_shelf})",
    "on_shelf": "(on|in|from|of) {saved_shelf}",
    "library": (
        "((in|of|from|within|across|inside) (my|the|our|this) [whole|entire] (library|database|db|catalog)"
        "|in here|in total|in all|overall|altogether|here|at all)"
    ),
    "now": "(now|again|then|instead|first|next|too|as well|also|though|for now|quickly|exactly|right now|all together)",
    "change": "filter/filters/condition/step/restriction/choice/change/criterion/constraint/narrowing/search/query",
    "tag": "tag/tags/label/labels/keyword",
    "note": "note/notes/comment/comments/annotation/annotations/remark/remarks",
    "sort": (
        "(sort/sorted/rank/ranked/order/ordered/arrange/arranged/reorder/reordered/rerank/reranked/resort/put/sorting)"
        " [them|these|those|it|all|the (list|results|papers|ones)] [again] [in] [order [of]] [by|on|after|according to]"
    ),
    "about": (
        "(about|on|of|concerning|regarding|covering|discussing|mentioning|using|involving|around|dealing with"
        "|related to|to do with|focused on|focusing on|that (mention|mentions|use|uses|discuss|discusses|cover|covers"
        "|involve|involves|treat|treats|address|addresses|concern|concerns|study|studies|investigate|investigates"
        "|examine|examines|explore|explores)"
        "|that deal with|that deals with|in the area of|in the field of|on the (topic|subject|theme|matter|question) of"
        "|that (is|are) about|concerned with|pertaining to|relating to|having to do with|with regard to|with respect to"
        "|in connection with|touching on|touching upon|revolving around|centered on|treating|addressing)"
    ),
    "arxiv": "arxiv",
    "sources": (f"({ANY_SOURCE}|the web|the internet|the [live] sources|online|[the] literature databases|outside)"),
    "search_noun": "search/searches/query/queries/lookup/lookups",
}
"""What `{name}` in a phrase stands for, itself a phrase."""

BOUNDARY = (
    "(but|except|since|before|after|until|published|without|that|which|who|from <:date>|in <:date>"
    "|on my|in my|sorted|ranked|ordered|newest|please|with (at|more|less|fewer|over|under)|cited"
    "|most cited|and (not|then|sort|rank|order|only|no)|by (citations|date|year|title|relevance)|not|excluding|only)"
)
"""What begins another clause, so that a slot before it is at its end."""

FORM = frozenset(
    """
    available included including inclusive such limited restricted marked flagged hold holds held having contained
    stored listed recorded up registered classified displayed shown requested required wanted sought desired attached
    assigned given carry carries carrying bear bears bearing received gathered exceed exceeds time times condition
    conditions criterion criteria requirement requirements constraint constraints word words number numbers citation
    citations additions addition added entry type types kind kinds period range publications item items happen happens
    however otherwise further furthermore moreover respectively namely closely concerned wait hang keep kept retain
    retained consider confine ourselves em u ya n w r
    ours mine theirs yours library's pdf pdfs contribution contributions
    whatever's that's what's who's
    there's pull catalog database possible preferably exactly precisely mere merely solely exclusively everyone
    somebody count counts counted direction regarded may might must
    """.split()
)
"""Words of form: of papers as things, of asking and of order. By themselves they are never what a paper is about."""
