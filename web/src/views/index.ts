/** web/src/views/index.ts: all views, in the order of their tabs. The first one is shown on a first visit. */
import type { View } from "../app/view.js";
import { flyView } from "../fly/view.js";
import { mapView } from "../map/view.js";
import { playView } from "../play/view.js";
import { chooseView } from "../search/choose.js";
import { repairView } from "../search/repair.js";
import { searchView } from "../search/view.js";

export const views: readonly View[] = [flyView, mapView, searchView, repairView, chooseView, playView];
