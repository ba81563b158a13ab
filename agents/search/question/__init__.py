"""What is made of a question: what it wants, and the words in which it is asked."""
