"""When the papers that a question asks for appeared."""
