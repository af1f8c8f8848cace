// What happened to the stored data before it was stored: two deployments, and a process that was killed twice while it worked.

import { setTimeout as delay } from "node:timers/promises";
import type { RequestOptions, StoredEngine } from "./engine.ts";

/** A time that no test reaches. */
export const FAR = "2100-01-01T00:00:00.000Z";
/** Becomes FAR as the data is stored. */
const LONG_MS = 300_000_000_000;

/** What a client of the stored data holds: the secret of a key, the cookie of a session, a link. */
export interface Secrets {
  readonly key: string;
  readonly cookie: string;
  readonly link: string;
}

interface JobAnswer {
  readonly jobId: string;
  readonly state: string;
  readonly heldFor?: string;
  readonly inProgress: boolean;
  readonly retries: number;
  readonly progress?: unknown;
  readonly result?: { readonly link?: string };
}

/** The first deployment: jobs of every state but running, and everything that is no job. */
export async function firstPhase(engine: StoredEngine): Promise<Secrets> {
  const { request } = engine;
  for (const kind of ["letter", "exact"]) await request("POST", `/kinds/${kind}/pause`);
  const mail = { kind: "mail", payload: { to: "ada" }, priority: -3, tags: ["blue", "fast"] };
  await submit(engine, mail, { idempotencyKey: "order-1" }, ended);
  const large = { to: "bob", body: "x".repeat(3_000) };
  await submit(engine, { kind: "mail", payload: large }, { tenant: "acme" }, ended);

  await submit(engine, { kind: "report", payload: { about: "held on the first plan" } }, {}, held);
  const released = await submit(engine, { kind: "report", payload: { about: "released" } }, {}, held);
  await request("POST", `/jobs/${released.jobId}/release`, { body: { answer: { approved: true } } });
  await until(engine, released.jobId, {}, ended);

  await submit(engine, { kind: "broken", payload: { about: "a dead letter" } }, { tenant: "acme" }, ended);
  const dead = await submit(engine, { kind: "broken", payload: { about: "revived" } }, {}, ended);
  const revived = await request("POST", `/jobs/${dead.jobId}/retry`, { body: { payload: { mended: true } } });
  await until(engine, (revived as JobAnswer).jobId, {}, ended);
  await submit(engine, { kind: "strict", payload: {} }, {}, ended);
  await submit(engine, { kind: "flaky", payload: {} }, {}, (job) => job.retries === 1);

  const cancelled = await submit(engine, { kind: "letter", payload: { to: "nobody" } });
  await request("POST", `/jobs/${cancelled.jobId}/cancel`, { body: { reason: "Written by mistake." } });
  await submit(engine, { kind: "letter", payload: { to: "dora" }, expiresInMs: LONG_MS }, { tenant: "acme" });
  await submit(engine, { kind: "letter", payload: { to: "emil" }, maxRetries: 8, timeoutMs: 70_000 });
  await submit(engine, { kind: "letter", payload: { to: "the future" }, runAt: FAR });
  await submit(engine, { kind: "exact", payload: {} });
  const picture = await submit(engine, { kind: "picture", payload: {} }, {}, ended);
  await submit(engine, { kind: "picture", payload: { known: true } }, {}, ended);
  return { ...(await access(engine)), link: picture.result?.link ?? "" };
}

/** Schedules, records, keys, a session, and the audit entries of all that. */
async function access({ millrace, request }: StoredEngine): Promise<Pick<Secrets, "key" | "cookie">> {
  const rule = { cron: "30 6 1 1 *", timeZone: "Europe/Berlin", kind: "letter", payload: { to: "the new year" } };
  await request("PUT", "/schedules/new-year", { body: { ...rule, priority: 2, tags: ["yearly"] } });
  await request("PUT", "/schedules/paused", { tenant: "acme", body: { ...rule, paused: true, overlap: "allow" } });
  const records = millrace.records("settings");
  await records.put("colour", { name: "blue" });
  await records.put("colour", { name: "green" });
  await records.put("until", [1, 2, 3], { tenant: "acme", expiresInMs: LONG_MS });
  const scopes = ["submit", "read", "admin"];
  const body = { name: "the shop", tenant: "acme", scopes, expiresAt: FAR };
  const { secret } = (await request("POST", "/keys", { body })) as { secret: string };
  const revoked = (await request("POST", "/keys", { body: { ...body, name: "lost" } })) as { id: string };
  await request("DELETE", `/keys/${revoked.id}`);
  const signedIn = (await request("POST", "/session", { body: { key: secret }, raw: true })) as Response;
  const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";");
  return { key: secret, cookie };
}

/** The second deployment, up to the moment at which its process is killed. */
export async function secondPhase(engine: StoredEngine): Promise<void> {
  await submit(engine, { kind: "report", payload: { about: "held on the second plan" } }, {}, held);
  const began = (job: JobAnswer) => job.inProgress && job.progress !== undefined;
  const running = { kind: "slow", payload: { once: "a", about: "running" }, priority: -9 };
  await submit(engine, running, {}, began);
  await submit(engine, { kind: "slow", payload: { once: "b", about: "pending" } });
}

/** A new process takes up the job that the killed one had, and is killed as well. */
export async function thirdPhase(engine: StoredEngine): Promise<void> {
  const { jobs } = (await engine.request("GET", "/jobs?kind=slow")) as { jobs: JobAnswer[] };
  const first = jobs.at(-1) as JobAnswer;
  await until(engine, first.jobId, {}, (job) => job.inProgress);
  const other = { kind: "slow", payload: { about: "pending, of another tenant" }, priority: 5 };
  await submit(engine, other, { tenant: "acme" });
}

const held = (job: JobAnswer) => job.heldFor !== undefined;
const ended = (job: JobAnswer) => ["completed", "failed", "cancelled"].includes(job.state);

async function submit(
  engine: StoredEngine,
  body: object,
  options: RequestOptions = {},
  when?: (job: JobAnswer) => boolean,
): Promise<JobAnswer> {
  const job = (await engine.request("POST", "/jobs", { ...options, body })) as JobAnswer;
  return when ? until(engine, job.jobId, options, when) : job;
}

async function until(
  { request }: StoredEngine,
  jobId: string,
  { tenant }: RequestOptions,
  when: (job: JobAnswer) => boolean,
): Promise<JobAnswer> {
  for (;;) {
    const job = (await request("GET", `/jobs/${jobId}`, tenant === undefined ? {} : { tenant })) as JobAnswer;
    if (when(job)) return job;
    await delay(20);
  }
}
