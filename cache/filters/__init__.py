"""The one grammar by which papers and runs are filtered, wherever they are listed."""
