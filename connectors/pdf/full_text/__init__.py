"""The whole text of a paper, as its PDF has it: whether it is of that paper, and what each page says."""
