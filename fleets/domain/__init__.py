"""Rules of fleets in plain Python: no Django, no database."""
