"""Derivations, one file a family. A file here is found by its place; nothing is registered."""
