"""Answering a question from papers at hand: a summary that is one short section, with a verdict and its evidence."""
