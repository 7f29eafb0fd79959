"""The whole installation as one checked file, while it runs, and back again (docs/backups.md)."""
