// What one run adds to a track: its points, and whether it differs from the run that the track is held against by more than noise.

import type { Report } from "../api/report.ts";
import type { SiteComparison } from "../api/site-shapes.ts";
import type { TrackChange, TrendPoint } from "../api/track-shapes.ts";

/** The mention rate over all models and of each. A run without models has the coverage of its own text. */
export function pointsOf(report: Report, before: readonly TrendPoint[]): TrendPoint[] {
  const base = { at: report.createdAt, jobId: report.jobId };
  const whole =
    report.kpis.find(({ id }) => id === "mention-rate") ??
    (report.mode === "extractive" ? report.coverageFigure : null);
  const all = whole ? [{ ...base, model: "all", ...counts(whole) }] : [];
  const models = report.byModel.flatMap(({ ref, mention, reported }) => {
    if (mention === null) return [];
    const version = reported.join(", ") || undefined;
    const last = before.findLast(({ model }) => model === ref)?.version;
    const isNew = version !== undefined && last !== undefined && version !== last;
    return [
      {
        ...base,
        model: ref,
        ...counts(mention),
        ...(version !== undefined && { version }),
        ...(isNew && { newVersion: true as const }),
      },
    ];
  });
  return [...all, ...models];
}

function counts({ k, n, low, high }: { k: number; n: number; low: number; high: number }) {
  return { k, n, low, high };
}

/** Undefined: everything that differs may be chance, or the runs cannot be compared. */
export function changeOf(comparison: SiteComparison, at: string): TrackChange | undefined {
  const { before, after, comparable, changes, versions } = comparison;
  const real = changes.filter(({ beyondChance }) => beyondChance);
  if (!comparable || real.length === 0) return undefined;
  return {
    at,
    jobId: after,
    since: before,
    changes: real.map(({ id, label, before: then, after: now, difference }) => ({
      id,
      label,
      before: then,
      after: now,
      difference,
    })),
    versions,
  };
}
