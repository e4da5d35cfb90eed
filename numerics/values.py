"""Arrays with named axes: one axis for each index an expression depends on, none of them looped over.

A :class:`Value` has first its labelled axes (an index, the outcomes of the random arrays, the entry that a
derivative perturbs), then ``rank`` positional axes, the entries of an array-valued expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from derivations.language.symbols import Index

Data: TypeAlias = NDArray[Any]

Number: TypeAlias = Any
"""A fraction, a high-precision real or a random polynomial: they share operators but no type."""


@dataclass(frozen=True)
class Marker:
    """The name of an axis that no author wrote; ``level`` keeps nested ones apart."""

    name: str
    level: int = 0


Label: TypeAlias = Index | Marker

OUTCOME = Marker("outcome")


@dataclass(frozen=True, eq=False)
class Value:
    """Data with ``len(labels)`` named axes followed by ``rank`` positional ones."""

    data: Data
    labels: tuple[Label, ...] = ()
    rank: int = 0


def boxed(result: Number, like: Data) -> Data:
    """NumPy hands out the bare element where a result has no axes; put it back in an array."""
    if isinstance(result, np.ndarray):
        return result
    box = np.empty((), dtype=like.dtype)
    box[()] = result  # also where the element is itself a sequence, such as a power series
    return box


def union(values: Sequence[Value]) -> tuple[Label, ...]:
    """All labels of the values, in order of first appearance."""
    return tuple(dict.fromkeys(label for value in values for label in value.labels))


def arranged(value: Value, labels: tuple[Label, ...], rank: int) -> Data:
    """The data with these labels as axes (size 1 where the value has none) and at least ``rank`` entry axes."""
    if value.labels == labels and value.rank == rank:
        return value.data
    present = [value.labels.index(label) for label in labels if label in value.labels]
    entries = range(len(value.labels), value.data.ndim)
    data = np.transpose(value.data, (*present, *entries))
    sizes = iter(data.shape[: len(present)])
    shape = [next(sizes) if label in value.labels else 1 for label in labels]
    return data.reshape(*shape, *data.shape[len(present) :], *(1,) * (rank - value.rank))


def combine(operation: Callable[..., Data], *values: Value) -> Value:
    """Apply an elementwise operation to values aligned by label."""
    labels, rank = union(values), max(value.rank for value in values)
    operands = [arranged(value, labels, rank) for value in values]
    return Value(boxed(operation(*operands), operands[0]), labels, rank)


def merged(data: Data, labels: tuple[Label, ...], rank: int = 0) -> Value:
    """A value whose labels may repeat: repeated axes become their diagonal."""
    names = list(labels)
    while len(set(names)) < len(names):
        second = next(k for k, name in enumerate(names) if name in names[:k])
        first = names.index(names[second])
        data = np.moveaxis(np.diagonal(data, axis1=first, axis2=second), -1, first)
        del names[second]
    return Value(data, tuple(names), rank)


def entries(value: Value, indices: tuple[Label, ...]) -> Value:
    """Read the entry axes by these labels."""
    return merged(value.data, value.labels + indices)


def summed(value: Value, label: Label, size: int) -> Value:
    """The sum over one label; a value that does not depend on it counts ``size`` times."""
    if label not in value.labels:
        return Value(boxed(value.data * size, value.data), value.labels, value.rank)
    axis = value.labels.index(label)
    total = boxed(np.add.reduce(value.data, axis=axis), value.data)
    return Value(total, value.labels[:axis] + value.labels[axis + 1 :], value.rank)


def spread(value: Value, sizes: Mapping[Label, int]) -> Value:
    """The same value with an axis of full size for each of these labels."""
    for label, size in sizes.items():
        if label not in value.labels:
            data = np.repeat(value.data[np.newaxis], size, axis=0)
            value = Value(data, (label, *value.labels), value.rank)
    return value


def positional(value: Value, labels: tuple[Label, ...]) -> Value:
    """Turn these labelled axes into entry axes."""
    axes = [value.labels.index(label) for label in labels]
    data = np.moveaxis(value.data, axes, range(-len(axes), 0))
    return Value(data, tuple(one for one in value.labels if one not in labels), len(labels))


def from_list(items: Sequence[object], shape: tuple[int, ...]) -> Data:
    """An object array of this shape; NumPy is kept from looking inside the items."""
    data = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):
        data[position] = item
    return data.reshape(shape)
