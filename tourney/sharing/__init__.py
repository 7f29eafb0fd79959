"""What leaves the program: texts to post, tables and files of an event, and read-only JSON (docs/formats.md)."""
