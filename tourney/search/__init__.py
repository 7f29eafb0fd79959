"""Search everywhere: one field that finds players, tables, pages, events and rulings for who runs a store."""
