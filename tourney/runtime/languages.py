"""The languages that Flagship speaks, by the codes that browsers send."""

LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français", "pt-br": "Português (Brasil)"}
"""Each by its own name; a catalogue is complete for every one of them (docs/translating.md)."""
