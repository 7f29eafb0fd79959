"""What people do: each function is one verb, atomic, under the event's lock, with one journal entry."""
