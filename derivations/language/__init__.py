"""What can be said: SymPy expressions that keep the author's order, and assumptions as objects."""
