/** web/src/stage/pick.ts: a place in the world for a click: in front of what was hit, else on a plane through the middle. */
import { Box3, Plane, Vector3, type Object3D, type Raycaster } from "three";

/**
 * `away`: metres in front of the surface. What lies above the cut of `clip` is not hit. Null: the ray leaves the box
 * without meeting anything.
 */
export function pick(ray: Raycaster, parts: readonly Object3D[], box: Box3, away: number, clip?: Plane): Vector3 | null {
  const hits = ray.intersectObjects([...parts], false);
  const hit = hits.find((one) => box.containsPoint(one.point) && (!clip || clip.distanceToPoint(one.point) >= 0));
  if (hit) {
    const normal = (hit.face?.normal ?? new Vector3(0, 1, 0)).clone();
    const turned = normal.dot(ray.ray.direction) > 0 ? normal.negate() : normal;
    return box.clampPoint(hit.point.clone().addScaledVector(turned, away), new Vector3());
  }
  return onPlane(ray, box);
}

/** Where the ray crosses the plane through the middle of the box that faces the camera. */
function onPlane(ray: Raycaster, box: Box3): Vector3 | null {
  const middle = box.getCenter(new Vector3());
  const plane = new Plane().setFromNormalAndCoplanarPoint(ray.ray.direction.clone().negate(), middle);
  const place = ray.ray.intersectPlane(plane, new Vector3());
  if (!place) return null;
  return box.containsPoint(place) ? place : ray.ray.intersectsBox(box) ? box.clampPoint(place, new Vector3()) : null;
}
