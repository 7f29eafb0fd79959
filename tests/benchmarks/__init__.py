"""Figures, not promises: `make bench` prints them; nothing here fails because a machine is slow."""
