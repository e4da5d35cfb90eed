"""The one error that the language raises: something written that has no meaning."""


class LanguageError(ValueError):
    """An expression that cannot be read as mathematics, with a message that says what to change."""
