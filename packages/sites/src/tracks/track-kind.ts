// The job of a track. Its schedule submits one at each look; the job starts a run of the site if one is due, waits for it, adds what
// it brought to the track, and tells of changes outside the noise.
//
//   look ── not due ──▶ done
//     └─ due ─▶ run submitted ─▶ run ended ─▶ trend kept ─▶ change submitted

import { AppError, type Context, defineKind } from "millrace";
import type { Engine } from "millrace/workload";
import { z } from "zod";
import type { Report } from "../api/report.ts";
import { TrackChange, TrackName } from "../api/track-shapes.ts";
import { SITE_KIND } from "../dependencies.ts";
import { siteTag } from "../http/tag.ts";
import { NEEDS_BUDGET } from "../models/budget.ts";
import { reading } from "../reading/reading.ts";
import type { SiteSettings } from "../settings.ts";
import { ARTIFACTS } from "../stages/earlier.ts";
import type { SiteChange } from "./alert.ts";
import { isDue, rhythmOf } from "./interval.ts";
import { CHANGE_KIND, TRACK_KIND } from "./names.ts";
import { type StoredTrack, type TrackHistory, TrackStore } from "./track-store.ts";
import { changeOf, pointsOf } from "./trend.ts";

const TrackLook = z.strictObject({ name: z.string() });
/** Anyone who may submit can submit one of these, so its tenant is that of the job. */
const ChangeNote = z.strictObject({
  change: TrackChange.extend({ track: TrackName, url: z.string(), tenant: z.string().optional() }),
  alertUrl: z.string().optional(),
});

export interface TrackResult {
  readonly outcome: "deleted" | "not-due" | "failed" | "ran";
  readonly jobId?: string;
  readonly changed?: boolean;
}

/** The engine comes after the kinds that it is opened with. */
export interface TrackDependencies {
  readonly settings: Pick<SiteSettings, "policy">;
  readonly engine: () => Engine;
}

export function trackKind({ engine }: TrackDependencies) {
  return defineKind({
    name: TRACK_KIND,
    payload: TrackLook,
    examples: [{ name: "bakery" }],
    run: (ctx, { name }): Promise<TrackResult> => look(ctx, name, engine()),
  });
}

/** A job of its own, so that an address that is down for an hour still hears of the change, and hears of it once. */
export function changeKind({ settings }: TrackDependencies) {
  return defineKind({
    name: CHANGE_KIND,
    payload: ChangeNote,
    uniqueKey: ({ change }) => `${change.track} ${change.jobId}`,
    run: async (ctx, { change: noted, alertUrl }): Promise<SiteChange> => {
      const change = { ...noted, tenant: ctx.tenant };
      const { postAlert } = await import("./alert.ts");
      if (alertUrl !== undefined) {
        await ctx.step("posted", async () => {
          await postAlert(alertUrl, change, settings.policy, ctx.signal);
          return new Date().toISOString();
        });
      }
      return change;
    },
  });
}

async function look(ctx: Context, name: string, engine: Engine): Promise<TrackResult> {
  const store = new TrackStore(engine, ctx.tenant);
  const track = await store.find(name);
  if (track === undefined) return { outcome: "deleted" };
  const rhythm = rhythmOf(track.every, new Date(track.createdAt));
  const isStarting = await ctx.step("due", async () =>
    isDue(rhythm, (await store.history(name, track)).lastStartedAt, new Date()),
  );
  if (!isStarting) return { outcome: "not-due" };
  const started = await ctx.step("run", ({ key }) => startRun(ctx, engine, { name, track, store, key }));
  const job = await endedRun(ctx, engine, started.jobId);
  const kept = await ctx.step("kept", async (): Promise<{ change?: SiteChange; failed?: string }> => {
    const history = await store.history(name, track);
    const noted = (change: TrackChange | undefined) =>
      change === undefined ? {} : { change: { ...change, track: name, tenant: ctx.tenant, url: track.url } };
    // An attempt that died before this step was kept has added the run already.
    if (history.lastRun?.jobId === started.jobId) {
      const { error } = history.lastRun;
      return error === undefined
        ? noted(history.changes.find(({ jobId }) => jobId === started.jobId))
        : { failed: error };
    }
    const lastRun = { jobId: started.jobId, at: started.at };
    const report = await readReport(engine, started.jobId);
    if (job.state !== "completed" || report === undefined) {
      const error = job.error ?? `The run is ${job.status}.`;
      await store.keep(name, { ...history, lastRun: { ...lastRun, error } });
      return { failed: error };
    }
    const { next, change } = await withRun(history, report, engine);
    await store.keep(name, { ...next, lastRun });
    return noted(change);
  });
  if (kept.failed !== undefined) return { outcome: "failed", jobId: started.jobId };
  if (kept.change !== undefined) await tell(ctx, engine, kept.change, track.alertUrl);
  return { outcome: "ran", jobId: started.jobId, changed: kept.change !== undefined };
}

async function startRun(
  ctx: Context,
  engine: Engine,
  { name, track, store, key }: { name: string; track: StoredTrack; store: TrackStore; key: string },
): Promise<{ jobId: string; at: string }> {
  const history = await store.history(name, track);
  const { every: _every, alertUrl: _alert, createdAt: _created, prompts = history.prompts, ...request } = track;
  // A track asks no person for approval, so doubtful prompts fail the run before it is paid for.
  const payload = { ...request, ...(prompts && { prompts }), onDoubt: "fail", track: name };
  const options = { ...traced(ctx), tags: [siteTag(track.url)] };
  const requests = [{ kind: SITE_KIND, payload, options }];
  try {
    const { jobs } = await engine.submitRequests({ tenant: ctx.tenant, requests, idempotency: once(key) });
    const at = new Date().toISOString();
    await store.keep(name, { ...history, lastStartedAt: at });
    return { jobId: (jobs[0] as { jobId: string }).jobId, at };
  } catch (error) {
    // A run of the site that a person started: this one comes after it.
    if (error instanceof AppError && IN_USE.has(error.code))
      ctx.defer({ delayMs: WAIT_MS }, "waits for another run of the site");
    throw error;
  }
}

const IN_USE = new Set(["already-queued", "already-processing", "in-other-stage"]);
const WAIT_MS = 30_000;
const SOON_MS = 1_000;

async function endedRun(ctx: Context, engine: Engine, jobId: string) {
  const job = await engine.find(jobId);
  if (job === undefined) throw new AppError("job-not-found", `The run ${jobId} was deleted before it ended.`);
  if (job.state === "completed" || job.state === "failed" || job.state === "cancelled") return job;
  // The budget of a run is its own: what is left is not asked, and the report says so.
  if (job.heldFor?.startsWith(NEEDS_BUDGET)) await engine.release(jobId, { answer: { finish: true } });
  const age = Date.now() - Date.parse(job.createdAt);
  return ctx.defer({ delayMs: Math.min(WAIT_MS, Math.max(SOON_MS, age / 10)) }, `waits for the run ${jobId}`);
}

async function withRun(history: TrackHistory, report: Report, engine: Engine) {
  const points = pointsOf(report, history.trend);
  const reference = await referenceOf(history, engine);
  const comparison = reference && (await reading.call("compareReports", [reference, report]));
  const change = comparison && changeOf(comparison, report.createdAt);
  // Runs that cannot be compared begin a new series: other prompts, or other models.
  const goesOn = comparison?.comparable === true && change === undefined;
  const next: TrackHistory = {
    ...history,
    prompts: history.prompts ?? report.prompts.prompts.map(({ text }) => text),
    reference: goesOn ? comparison.before : report.jobId,
    trend: [...history.trend, ...points],
    changes: change === undefined ? history.changes : [change, ...history.changes],
  };
  return { next, change };
}

/** The run that the next is held against. Where its report is no longer kept, the run before. */
async function referenceOf({ reference, lastRun }: TrackHistory, engine: Engine): Promise<Report | undefined> {
  const kept = reference === undefined ? undefined : await readReport(engine, reference);
  return kept ?? (lastRun && readReport(engine, lastRun.jobId));
}

async function tell(ctx: Context, engine: Engine, change: SiteChange, alertUrl: string | undefined): Promise<void> {
  await ctx.step("told", async ({ key }) => {
    const payload = { change, ...(alertUrl !== undefined && { alertUrl }) };
    const options = { ...traced(ctx), tags: [siteTag(change.url)], maxAttempts: ALERT_ATTEMPTS };
    const { jobs } = await engine.submitRequests({
      tenant: ctx.tenant,
      requests: [{ kind: CHANGE_KIND, payload, options }],
      idempotency: once(key),
    });
    return jobs[0]?.jobId ?? null;
  });
}

async function readReport(engine: Engine, jobId: string): Promise<Report | undefined> {
  const kept = await engine.artifact(jobId, ARTIFACTS.json);
  return kept && (JSON.parse(new TextDecoder().decode(kept.bytes)) as Report);
}

/** With the growing pauses between them, an address may be down for hours. */
const ALERT_ATTEMPTS = 9;

/** An attempt that died before its step was kept has submitted already, perhaps with the options that the track had then. */
function once(key: string): { key: string; fingerprint: string } {
  return { key, fingerprint: key };
}

function traced({ traceId }: Context): { traceId?: string } {
  return traceId === undefined ? {} : { traceId };
}
