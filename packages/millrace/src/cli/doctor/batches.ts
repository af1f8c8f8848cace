import type { FileReport } from "../../store/sqlite/connection/examine.ts";
import { plural } from "../output/format.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** A batch that is never sealed never ends, so its last job never runs. */
export function batchFinding(unsealed: FileReport["unsealed"]): Finding[] {
  if (unsealed === undefined) return [];
  const { count, oldest } = unsealed;
  if (count === 0) return [ok("batches", "none is open for more than a day")];
  const more = count - oldest.length;
  const named = `${oldest.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    warn(
      "batches",
      `${plural(count, "batch", "batches")} not sealed for more than a day: ${named}`,
      "An open batch never ends. Seal or cancel it on the dashboard's Batches page, or with POST /batches/{batchId}/seal.",
    ),
  ];
}
