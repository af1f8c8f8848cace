// A batch in words and colours. Pure.

import type { BatchInfo } from "../../src/client/index.ts";
import type { CountPart } from "../ui/count-bar.tsx";
import type { Tone } from "../ui/status.tsx";

/** Where the jobs of a batch are listed. */
export function jobsOf(batchId: string, status?: string): string {
  return `/jobs?batch=${encodeURIComponent(batchId)}${status === undefined ? "" : `&status=${status}`}`;
}

export function partsOf({ id, completed, failed, cancelled, pending }: BatchInfo): CountPart[] {
  return [
    { word: "completed", count: completed, tone: "good", to: jobsOf(id, "completed") },
    { word: "failed", count: failed, tone: "bad", to: jobsOf(id, "failed") },
    { word: "cancelled", count: cancelled, tone: "off", to: jobsOf(id, "cancelled") },
    { word: "not ended", count: pending, tone: "waiting" },
  ];
}

export function wordOfBatch({ state, cancelledAt, failed }: BatchInfo): { word: string; tone: Tone } {
  if (cancelledAt !== undefined) return { word: "cancelled", tone: "off" };
  switch (state) {
    case "open":
      return { word: "open", tone: "waiting" };
    case "sealed":
      return { word: "sealed", tone: "running" };
    case "ended":
      return { word: "ended", tone: failed > 0 ? "care" : "good" };
  }
}
