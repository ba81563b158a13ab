"""Parser of plain English: turns a message into an act, the papers that it is about, and the words left over."""
