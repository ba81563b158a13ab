"""Words without information about a paper's subject, and words with which people ask questions."""

_FUNCTION_WORDS = """
a about above after again against all also although am among an and any are as at be because been before being below
between both but by can could did do does doing down during each either few for from further had has have having he
her here hers herself him himself his how however i if in into is it its itself just me more most my myself neither no
nor not now of off on once only onto or other our ours ourselves out over own per same she should since so some such
than that the their theirs them themselves then there therefore these they this those through thus to too toward
towards under until up upon us very via was we were what when where whether which while who whom whose why will with
within without would you your yours yourself yourselves
"""
_QUESTION_WORDS = """
approaches article articles concerning describe discuss explain find give know literature list looking need paper
papers please publication publications published recent regarding related research show state studies study suggest
survey tell used using want work works
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
"""English function words, always removed."""
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())
"""Words with which people ask for papers ("find studies on …"), removed from queries that must match every word."""
