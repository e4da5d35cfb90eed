"""What people and programs meet: the command line, its worker processes, the notebook."""
