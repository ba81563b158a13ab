"""Reading a damaged library page by page, and making a whole one of what is left."""
