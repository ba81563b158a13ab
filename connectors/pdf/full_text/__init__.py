"""The whole text of a paper's PDF: a check that it is this paper, and the text of each page."""
