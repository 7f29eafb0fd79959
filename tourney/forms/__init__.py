"""What people type, checked in plain words before anything is done with it."""
