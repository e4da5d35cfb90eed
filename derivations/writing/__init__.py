"""How mathematics is written: LaTeX, text for a terminal, and the words around it in English and Chinese."""
