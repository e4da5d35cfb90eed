from typing import Self

from sympy.core.expr import Expr

class Number(Expr): ...
class Float(Number): ...

class Rational(Number):
    p: int
    q: int
    def __new__(cls, p: int, q: int = 1) -> Self: ...

class Integer(Rational):
    def __new__(cls, p: int) -> Self: ...
