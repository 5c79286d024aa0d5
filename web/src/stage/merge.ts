/** web/src/stage/merge.ts: fewer boxes for the same solid: neighbours with the same cross-section become one. */

/** low and high of each box. Boxes are joined along y, then along z; their union stays the same. */
export function mergeBoxes(boxes: Float32Array): Float32Array {
  return mergeAlong(mergeAlong(boxes, 1), 2);
}

/** Sorted by cross-section and then along the axis, boxes that can be joined are beside each other. */
function mergeAlong(boxes: Float32Array, axis: number): Float32Array {
  const count = boxes.length / 6;
  const others = [0, 1, 2].filter((k) => k !== axis);
  const keys = [...others, ...others.map((k) => k + 3), axis];
  const order = new Uint32Array(count).map((_, i) => i);
  order.sort((a, b) => {
    for (const k of keys) {
      const away = boxes[6 * a + k]! - boxes[6 * b + k]!;
      if (away !== 0) return away;
    }
    return 0;
  });

  const merged = new Float32Array(boxes.length);
  let used = 0;
  for (const i of order) {
    const before = 6 * (used - 1);
    const joins =
      used > 0 &&
      merged[before + axis + 3] === boxes[6 * i + axis] &&
      keys.slice(0, 4).every((k) => merged[before + k] === boxes[6 * i + k]);
    if (joins) merged[before + axis + 3] = boxes[6 * i + axis + 3]!;
    else merged.set(boxes.subarray(6 * i, 6 * i + 6), 6 * used++);
  }
  return merged.slice(0, 6 * used);
}
