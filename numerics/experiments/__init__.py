"""Experiments: what the theorems of the library are about, drawn and measured. Pure functions that return records."""
