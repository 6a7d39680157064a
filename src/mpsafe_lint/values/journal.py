"""The journal of all writes: what a branch changed can be taken back, and joined with what another one changed."""

from __future__ import annotations

from collections.abc import Sequence

from mpsafe_lint.values.values import Cell, Key, Slot, Value, one_of

Changes = dict[tuple[int, Key], tuple[Cell, Key, "Slot | None"]]
"""What is different since a mark: by cell and key, the slot that stands there now."""


class Journal:
    """Writes slots, and remembers what stood there before."""

    def __init__(self) -> None:
        self._entries: list[tuple[Cell, Key, Slot | None]] = []

    def mark(self) -> int:
        """Return a point to which `undo` can go back."""
        return len(self._entries)

    def write(self, cell: Cell, key: Key, slot: Slot | None) -> None:
        """Put `slot` into the cell, or remove what is there where it is None."""
        self._entries.append((cell, key, cell.slots.get(key)))
        _put(cell, key, slot)

    def changes(self, mark: int) -> Changes:
        """Return what is different since `mark`."""
        return {(id(cell), key): (cell, key, cell.slots.get(key)) for cell, key, _ in self._entries[mark:]}

    def undo(self, mark: int) -> Changes:
        """Take back all writes since `mark`; return what they had changed."""
        changes = self.changes(mark)
        while len(self._entries) > mark:
            cell, key, before = self._entries.pop()
            _put(cell, key, before)
        return changes

    def join(self, branches: Sequence[Changes]) -> None:
        """Make the state one in which any of `branches` may have happened. With none, nothing changes."""
        if not branches:
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
    if all(slot is present[0] for slot in present):
        return present[0]
    values: list[Value] = [slot.value for slot in present]
    value = one_of(values)
    place = next((slot.place for slot in present if slot.value is value), present[-1].place)
    return Slot(value, place)
