"""The journal of all writes: what a branch changed can be taken back, and joined with what another one changed."""

from __future__ import annotations

from collections.abc import Sequence

from mpsafe_lint.values.values import CLOCK, Cell, Constant, Key, Slot, Value, one_of

Place = tuple[int, Key]
Changes = dict[Place, tuple[Cell, Key, "Slot | None"]]
"""By cell and key, a slot: the one that stands there, or the one that stood there before."""


class Journal:
    """Writes slots, and remembers what stood there before: in layers, one for each mark that is still open.

    Of a cell that came after a mark nothing is remembered there: when that mark is undone, nothing holds the cell.
    """

    def __init__(self) -> None:
        self._layers: list[Changes] = []
        self._opened: list[int] = []

    def mark(self) -> int:
        """Open a layer, and return a mark to which `undo` goes back and `keep` closes it."""
        self._layers.append({})
        self._opened.append(next(CLOCK))
        return len(self._layers) - 1

    def write(self, cell: Cell, key: Key, slot: Slot | None) -> None:
        """Put `slot` into the cell, or remove what is there where it is None."""
        if self._opened and cell.born < self._opened[-1]:
            layer = self._layers[-1]
            place = (id(cell), key)
            if place not in layer:
                layer[place] = (cell, key, cell.slots.get(key))
        _put(cell, key, slot)

    def changes(self, mark: int) -> Changes:
        """Return what is different since `mark`."""
        return {
            place: (cell, key, cell.slots.get(key))
            for layer in self._layers[mark:]
            for place, (cell, key, _) in layer.items()
        }

    def before(self, mark: int) -> Changes:
        """Return what stood there at `mark` where now something else does."""
        found: Changes = {}
        for layer in self._layers[mark:]:
            for place, entry in layer.items():
                found.setdefault(place, entry)
        return found

    def undo(self, mark: int) -> Changes:
        """Take back all writes since `mark`; return what they had changed."""
        changes = self.changes(mark)
        while len(self._layers) > mark:
            self._opened.pop()
            for cell, key, before in self._layers.pop().values():
                _put(cell, key, before)
        return changes

    def keep(self, mark: int) -> None:
        """Let the writes since `mark` stand."""
        if mark:
            below, opened = self._layers[mark - 1], self._opened[mark - 1]
            for layer in self._layers[mark:]:
                for place, entry in layer.items():
                    if entry[0].born < opened and place not in below:
                        below[place] = entry
        del self._layers[mark:], self._opened[mark:]

    def join(self, branches: Sequence[Changes]) -> None:
        """Make the state one in which any of `branches` may have happened. With none, nothing changes."""
        if not branches:
            return
        if len(branches) == 1:
            for cell, key, slot in branches[0].values():
                self.write(cell, key, slot)
            return
        touched = {place: (cell, key) for changes in branches for place, (cell, key, _) in changes.items()}
        for place, (cell, key) in touched.items():
            slots = [changes[place][2] if place in changes else cell.slots.get(key) for changes in branches]
            self.write(cell, key, _joined(slots))


def _put(cell: Cell, key: Key, slot: Slot | None) -> None:
    if slot is None:
        cell.slots.pop(key, None)
    else:
        cell.slots[key] = slot


def _joined(slots: Sequence[Slot | None]) -> Slot | None:
    """What may be absent counts as there: one path on which it is suffices."""
    present = [slot for slot in slots if slot is not None]
    if not present:
        return None
    first = present[0]
    if all(slot is first for slot in present):
        return first
    value: Value = one_of([slot.value for slot in present])
    telling = [slot for slot in present if not isinstance(slot.value, Constant)] or present
    place = next((slot.place for slot in telling if slot.value is value), telling[-1].place)
    return Slot(value, place)
