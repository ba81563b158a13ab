"""Recommendations and taste measured on people's libraries, of each of which a part is held out."""
