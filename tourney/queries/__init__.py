"""Rows in, what follows from them out. Nothing here writes."""
