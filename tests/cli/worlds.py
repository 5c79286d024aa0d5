"""Worlds that are hard on a search, made by rule from a seed, and which of their voxels are connected.

    python3 tests/cli/worlds.py maze 256 maze.3dmap     writes one as a map

A world is a bytearray, x fastest: 1 where a voxel is blocked. Nothing here is taken from the library: voxels are
connected over faces, by runs along x that overlap those of the rows before.
"""
import random
import re
import sys

KINDS = ("maze", "serpent", "spiral", "dust")


class World:
    def __init__(self, size):
        self.size = size
        self.blocked = bytearray(b"\1") * size**3

    def free(self, low, high):
        """Frees the voxels of [low, high)."""
        for z in range(low[2], high[2]):
            for y in range(low[1], high[1]):
                row = self.size * (y + self.size * z)
                self.blocked[row + low[0]:row + high[0]] = bytes(high[0] - low[0])

    def write(self, path):
        n = self.size
        with open(path, "w") as file:
            file.write(f"voxel {n} {n} {n}\n")
            for row in range(n * n):
                tail = f" {row % n} {row // n}\n"
                voxels = self.blocked[n * row:n * (row + 1)]
                file.write("".join([f"{x}{tail}" for x in range(n) if voxels[x]]))


def maze(size, rng):
    """Rooms of 3 voxels behind walls of 1, joined by a random walk that turns back; a few doors are walled up."""
    world, rooms = World(size), (size - 1) // 4
    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    seen, trail, doors = {(0, 0, 0)}, [(0, 0, 0)], []
    while trail:
        room = trail[-1]
        near = [tuple(a + b for a, b in zip(room, step)) for step in steps]
        near = [r for r in near if r not in seen and min(r) >= 0 and max(r) < rooms]
        if not near:
            trail.pop()
            continue
        trail.append(rng.choice(near))
        seen.add(trail[-1])
        doors.append((room, trail[-1]))

    for room in seen:
        world.free([4 * r + 1 for r in room], [4 * r + 4 for r in room])
    kept = [door for i, door in enumerate(doors) if i % (len(doors) // 3) != 7]
    for a, b in kept:
        low = [4 * min(p, q) + (1 if p == q else 4) for p, q in zip(a, b)]
        world.free(low, [v + (3 if p == q else 1) for v, p, q in zip(low, a, b)])
    return world


def serpent(size, rng):
    """One corridor of one voxel that goes to and fro through the whole cube, cut once."""
    world, last = World(size), size - 2
    rows = [(y, z) for layer, z in enumerate(range(1, size - 1, 2))
            for y in (range(1, size - 1, 2) if layer % 2 == 0 else reversed(range(1, size - 1, 2)))]
    for i, (y, z) in enumerate(rows):
        world.free((1, y, z), (last + 1, y + 1, z + 1))
        if i + 1 < len(rows):
            x, (next_y, next_z) = (last if i % 2 == 0 else 1), rows[i + 1]
            world.free((x, min(y, next_y), min(z, next_z)), (x + 1, max(y, next_y) + 1, max(z, next_z) + 1))
    y, z = rows[len(rows) * 3 // 4]
    world.blocked[size // 2 + size * (y + size * z)] = 1
    return world


def spiral(size, rng):
    """Flat spirals of one voxel, one above the other, joined at their middles and at their outer ends in turn, cut once."""
    world, low, high, corners = World(size), 1, (size - 3) // 2 * 2 + 1, [(1, 1)]
    while low < high:
        corners += [(high, low), (high, high), (low, high), (low, low + 2)]
        low, high = low + 2, high - 2
        if low < high:
            corners.append((low, low))
    if low > high + 2:
        corners.pop()
    for floor, z in enumerate(range(1, size - 1, 2)):
        for (ax, ay), (bx, by) in zip(corners, corners[1:]):
            world.free((min(ax, bx), min(ay, by), z), (max(ax, bx) + 1, max(ay, by) + 1, z + 1))
        if z + 2 < size - 1:
            px, py = corners[-1] if floor % 2 == 0 else corners[0]
            world.free((px, py, z), (px + 1, py + 1, z + 2))
    world.blocked[size // 2 + size * (1 + size * (size * 3 // 8 * 2 + 1))] = 1
    return world


def dust(size, rng):
    """Each voxel is blocked with a chance of two thirds: one large region, and very many small ones."""
    world = World(size)
    world.blocked[:] = bytes(value < 169 for value in rng.randbytes(size**3))
    return world


def make(kind, size, seed):
    return {"maze": maze, "serpent": serpent, "spiral": spiral, "dust": dust}[kind](size, random.Random(f"{kind} {seed}"))


class Regions:
    """Labels of the free voxels that are connected over faces."""

    def __init__(self, world):
        self.size, self.parents, self.rows = world.size, [], []
        n = world.size
        for row in range(n * n):
            runs = []
            for run in re.finditer(b"\0+", world.blocked[n * row:n * (row + 1)]):
                self.parents.append(len(self.parents))
                runs.append((run.start(), run.end(), len(self.parents) - 1))
            self.rows.append(runs)
            if row % n:
                self.join(runs, self.rows[row - 1])
            if row >= n:
                self.join(runs, self.rows[row - n])

    def root(self, label):
        while self.parents[label] != label:
            self.parents[label] = label = self.parents[self.parents[label]]
        return label

    def join(self, a, b):
        i = k = 0
        while i < len(a) and k < len(b):
            if a[i][0] < b[k][1] and b[k][0] < a[i][1]:
                self.parents[self.root(a[i][2])] = self.root(b[k][2])
            if a[i][1] < b[k][1]:
                i += 1
            else:
                k += 1

    def label(self, voxel):
        for start, end, label in self.rows[voxel[1] + self.size * voxel[2]]:
            if start <= voxel[0] < end:
                return self.root(label)
        return None


def free_voxel(world, rng):
    while True:
        at = rng.randrange(world.size**3)
        if not world.blocked[at]:
            return at % world.size, at // world.size % world.size, at // world.size**2


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: worlds.py {'|'.join(KINDS)} SIZE FILE.3dmap")
    make(sys.argv[1], int(sys.argv[2]), 1).write(sys.argv[3])
