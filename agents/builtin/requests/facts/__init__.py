"""Facts about many papers at once: counts, tables and figures, by SQL over the views of the library."""
