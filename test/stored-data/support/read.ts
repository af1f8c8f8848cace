// Everything that the API shows of the stored data.

import { setTimeout as delay } from "node:timers/promises";
import type { StoredEngine } from "./engine.ts";
import type { Secrets } from "./phases.ts";

const TENANTS = ["default", "acme"];
const OF_A_TENANT = ["/dlq", "/dlq?group=error"];
const OF_A_JOB = ["", "/attempts", "/logs", "/steps", "/artifacts"];
const OF_THE_STORE = ["/kinds", "/deployments", "/schedules", "/keys", "/tenants", "/audit"];

/**
 * By request, what it answers. Times after `madeAt` differ from one reading to the next and are left out, and so are JSON
 * schemas, which the zod of the day writes.
 */
export async function readAll(
  engine: StoredEngine,
  secrets: Secrets,
  madeAt: number,
): Promise<Record<string, unknown>> {
  const { millrace, request } = engine;
  // The lease of the killed process is taken back soon after the store is opened.
  while ((await millrace.count({ standings: ["running"] })) > 0) await delay(20);
  const all: Record<string, unknown> = {};
  for (const tenant of TENANTS) {
    const { jobs } = (await request("GET", "/jobs?limit=100", { tenant })) as { jobs: { jobId: string }[] };
    for (const path of OF_A_TENANT) all[`${path} of ${tenant}`] = await request("GET", path, { tenant });
    all[`jobs of ${tenant}`] = jobs.map(({ jobId }) => jobId);
    for (const { jobId } of jobs)
      for (const path of OF_A_JOB)
        all[`/jobs/${jobId}${path}`] = await request("GET", `/jobs/${jobId}${path}`, { tenant });
  }
  for (const path of OF_THE_STORE) all[path] = await request("GET", path);
  all["session by key"] = await request("GET", "/session", { as: { key: secrets.key } });
  all["session by cookie"] = await request("GET", "/session", { as: { cookie: secrets.cookie } });
  const records = millrace.records("settings");
  all["records"] = [await records.list(), await records.list({ tenant: "acme" })];
  const opened = await millrace.shared.open(secrets.link);
  all["link"] = opened && { ...opened, bytes: new TextDecoder().decode(opened.bytes) };
  for (const name of Object.keys(all)) {
    const [, jobId] = /^\/jobs\/(\w+)\/artifacts$/.exec(name) ?? [];
    const { artifacts } = all[name] as { artifacts?: { name: string }[] };
    for (const artifact of (jobId && artifacts) || []) {
      const bytes = await millrace.artifact(jobId as string, artifact.name);
      all[`${name}/${artifact.name}`] = bytes && new TextDecoder().decode(bytes.bytes);
    }
  }
  return JSON.parse(JSON.stringify(all), (name, value) => {
    if (name === "payloadSchema") return undefined;
    return isLater(value, madeAt) ? "later" : value;
  });
}

/** The data itself has times of 2100. */
const FAR_AT = Date.parse("2099-01-01");
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function isLater(value: unknown, madeAt: number): boolean {
  const at = typeof value === "string" && ISO.test(value) ? Date.parse(value) : value;
  return typeof at === "number" && at > madeAt && at < FAR_AT;
}
