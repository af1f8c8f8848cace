import { isDeepStrictEqual } from "node:util";
import { AppError } from "millrace";
import { audited, type BoundRoute, bind, type Caller, type Engine, oneTenant } from "millrace/workload";
import type { Track, TrackRequest, TrackSummary } from "../api/track-shapes.ts";
import { trackRoutes } from "../api/tracks.ts";
import { FetchFault } from "../fetch/fault.ts";
import { checkTarget } from "../fetch/target.ts";
import { sitePayload } from "../payload.ts";
import { DAY_MS, type SiteSettings } from "../settings.ts";
import { rhythmOf } from "../tracks/interval.ts";
import { TRACK_KIND } from "../tracks/names.ts";
import { type StoredTrack, TrackStore, tenantsWithTracks } from "../tracks/track-store.ts";

export function trackHandlers(engine: Engine, settings: SiteSettings): BoundRoute[] {
  const storeOf = (caller: Caller) => new TrackStore(engine, oneTenant(caller));
  return [
    bind(trackRoutes.tracks, async ({ caller }) => {
      const all = await Promise.all((await tenantsOf(engine, caller)).map((tenant) => tracksOf(engine, tenant)));
      return { body: { tracks: all.flat() } };
    }),
    bind(trackRoutes.putTrack, async ({ params: { name }, body, caller, traceId }) => {
      const tenant = oneTenant(caller);
      checkTrack(body, settings);
      const store = storeOf(caller);
      const known = await store.find(name);
      if (known === undefined) await checkRoom(store);
      const goesOn = known !== undefined && isOfSameSite(known, body);
      const track: StoredTrack = { ...body, createdAt: goesOn ? known.createdAt : new Date().toISOString() };
      const { cron } = rhythmOf(track.every, new Date(track.createdAt));
      const kind = engine.kindNamed(TRACK_KIND);
      const rule = { name: scheduleOf(name), cron, payload: { name }, tenant, overlap: "skip" as const };
      await engine.schedules.put(kind, rule);
      await store.put(name, track);
      await audited(engine, { caller, traceId }, "site track saved", { target: name, tenant });
      // The first run starts at once; what is changed later waits for its turn.
      if (!goesOn) {
        const requests = [{ kind: TRACK_KIND, payload: { name }, options: { traceId } }];
        await engine.submitRequests({ tenant, requests });
      }
      return { body: await viewOf(engine, { tenant, name, track }) };
    }),
    bind(trackRoutes.track, async ({ params: { name }, caller }) => {
      for (const tenant of await tenantsOf(engine, caller)) {
        const track = await new TrackStore(engine, tenant).find(name);
        if (track !== undefined) return { body: await viewOf(engine, { tenant, name, track }) };
      }
      throw noTrack();
    }),
    bind(trackRoutes.deleteTrack, async ({ params: { name }, caller, traceId }) => {
      const tenant = oneTenant(caller);
      if (!(await storeOf(caller).delete(name))) throw noTrack();
      await engine.schedules.remove(scheduleOf(name), { tenant });
      await audited(engine, { caller, traceId }, "site track deleted", { target: name, tenant });
      return { status: 204, body: undefined };
    }),
  ];
}

/** Each look of a track is a job, and a page shows all of them. */
const MOST_TRACKS = 200;

async function checkRoom(store: TrackStore): Promise<void> {
  if ((await store.all()).length < MOST_TRACKS) return;
  throw new AppError("conflict", `The tenant already has ${MOST_TRACKS} tracks, the maximum.`, {
    hint: "DELETE /sites/tracks/:name removes one.",
  });
}

/** The trend of another site, brand or language is not this one's. */
function isOfSameSite(known: TrackRequest, asked: TrackRequest): boolean {
  const about = ({ url, brand, language }: TrackRequest) => ({ url, brand, language });
  return isDeepStrictEqual(about(known), about(asked));
}

/** An administrator may look at the tracks of all tenants. */
async function tenantsOf(engine: Engine, { tenant }: Caller): Promise<string[]> {
  return tenant === "*" ? tenantsWithTracks(engine) : [tenant];
}

async function tracksOf(engine: Engine, tenant: string): Promise<TrackSummary[]> {
  const tracks = await new TrackStore(engine, tenant).all();
  const views = await Promise.all(tracks.map(({ name, track }) => viewOf(engine, { tenant, name, track })));
  return views.map(({ trend, changes, prompts: _prompts, ...track }) => {
    const latest = trend.findLast(({ model }) => model === "all");
    return { ...track, ...(latest && { latest }), changeCount: changes.length };
  });
}

function scheduleOf(name: string): string {
  return `site-track:${name}`;
}

/** The same words for every name, so that it tells no tenant which tracks another has. */
function noTrack(): AppError {
  return new AppError("not-found", "Track not found.", { hint: "GET /sites/tracks lists them." });
}

/** The same rules as for a run, so that a track that could never run is refused now. */
function checkTrack({ every, alertUrl, ...request }: TrackRequest, settings: SiteSettings): void {
  const { everyMs = 0 } = rhythmOf(every, new Date());
  if (everyMs >= settings.retentionMs) {
    const days = Math.floor(settings.retentionMs / DAY_MS);
    throw new AppError(
      "invalid-request",
      `every: "${every}" must be shorter than reports are kept (SITE_RETENTION_MS: ${days} days), or no run could be compared.`,
    );
  }
  const checked = sitePayload(settings).safeParse(request);
  const issues = checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const fault = alertUrl === undefined ? undefined : alertFault(alertUrl, settings);
  if (fault !== undefined) issues.push({ path: "alertUrl", message: fault });
  const [first] = issues;
  if (first === undefined) return;
  throw new AppError("invalid-request", `${first.path}: ${first.message}`, { details: { issues } });
}

function alertFault(url: string, { policy }: SiteSettings): string | undefined {
  try {
    checkTarget(url, policy);
    return undefined;
  } catch (error) {
    if (error instanceof FetchFault) return error.message;
    throw error;
  }
}

async function viewOf(
  engine: Engine,
  { tenant, name, track }: { tenant: string; name: string; track: StoredTrack },
): Promise<Track> {
  const history = await new TrackStore(engine, tenant).history(name, track);
  const [schedule] = await engine.schedules.list({ tenant, name: scheduleOf(name) });
  const prompts = track.prompts ?? history.prompts;
  return {
    name,
    tenant,
    ...track,
    ...(prompts && { prompts: [...prompts] }),
    ...(schedule && { nextAt: schedule.nextAt }),
    ...(history.lastRun && { lastRun: history.lastRun }),
    trend: [...history.trend],
    changes: [...history.changes],
  };
}
