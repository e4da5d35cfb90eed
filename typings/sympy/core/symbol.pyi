from typing import Self

from sympy.core.basic import Basic
from sympy.core.expr import Expr

class Str(Basic):
    name: str
    def __new__(cls, name: str) -> Self: ...

class Symbol(Expr):
    name: str
    def __new__(cls, name: str, **assumptions: bool) -> Self: ...

class Dummy(Symbol): ...
