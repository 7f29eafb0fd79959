"""Pages: load what this visitor may see, check what was typed, call one action or query, answer."""
