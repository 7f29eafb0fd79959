"""What hostile guests send, all against 127.0.0.1: `make attack` for the long form, test_short.py for the quick one."""
