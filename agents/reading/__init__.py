"""The one reader of plain English: a message becomes an act, the papers that it is about, and the words left over."""
