"""A verifier for the derivations of machine-learning mathematics."""
