import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { until } from "../../../../../test/support/until.ts";
import type { Job } from "../../job/job.ts";
import type { JobNews } from "../../job/report/job-news.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { NewRecord, RecordEntry, RecordName } from "../../store/verbs/records.ts";
import { silentLog } from "../../telemetry/log/log.ts";
import { batchName } from "./batch.ts";
import { HookRelay } from "./relay.ts";

/** The records of a store, in memory, with all that was written in order. */
class Records {
  readonly #kept = new Map<string, RecordEntry>();
  readonly written: string[] = [];
  jobs: Pick<Job, "id" | "payload">[] = [];
  isBroken = false;
  #version = 0;

  get batches(): string[] {
    return this.written.filter((key) => key !== "roster");
  }

  get roster(): { readers: Record<string, unknown> } {
    return JSON.parse(this.#kept.get("roster")?.value ?? '{"readers":{}}');
  }

  readonly store = {
    find: async (ids: string[]) => this.jobs.filter(({ id }) => ids.includes(id)),
    findRecord: async ({ key }: RecordName) => this.#kept.get(key),
    putRecord: async ({ key, value, ifVersion }: NewRecord) => {
      if (this.isBroken) throw new Error("no store");
      const conflict = this.#kept.get(key)?.version ?? 0;
      if (ifVersion !== undefined && ifVersion !== conflict) return { conflict };
      this.written.push(key);
      const record = { key, value, version: ++this.#version, updatedAt: 0 };
      this.#kept.set(key, record);
      return record;
    },
  } as unknown as Store;
}

const INTEREST = { names: ["submitted" as const], kinds: ["mail"] };
const EVERYTHING = { names: ["submitted" as const], kinds: null };

function newsOf(jobId: string, more: { kind?: string; payload?: string } = {}): JobNews {
  const about = { at: Date.now(), jobId, kind: "mail", stage: "running", tenant: "default", tags: [], payload: "1" };
  return { ...about, name: "submitted", runAt: 0, ...more };
}

function member(t: TestContext, records: Records) {
  const readers = new Set<(news: JobNews) => void>();
  const heard: JobNews[] = [];
  const warnings: string[] = [];
  const relay = new HookRelay({
    store: records.store,
    events: {
      read(reader) {
        readers.add(reader);
        return () => readers.delete(reader);
      },
    },
    clock: systemClock(),
    log: { ...silentLog, warn: (event) => warnings.push(event) },
    receive: (news) => heard.push(news),
  });
  relay.start();
  t.after(() => relay.stop());
  const tell = (...news: JobNews[]) => {
    for (const each of news) for (const reader of readers) reader(each);
  };
  return { relay, readers, heard, warnings, tell };
}

describe("the relay of hooks", () => {
  test("writes nothing while no other process listens, and costs claims nothing", async (t) => {
    const records = new Records();
    const { readers, tell } = member(t, records);
    tell(newsOf("job_1"));
    await until("it has looked", () => readers.size === 0);
    tell(newsOf("job_2"));
    assert.deepEqual(records.written, []);
  });

  test("sends only the events and kinds that others want, also those of before it knew", async (t) => {
    const records = new Records();
    const listener = member(t, records);
    listener.relay.wants(INTEREST);
    await until("it is listed", () => Object.keys(records.roster.readers).length > 0);
    const { tell } = member(t, records);
    tell(newsOf("job_1"), newsOf("job_2", { kind: "other" }), { ...newsOf("job_3"), name: "released" } as JobNews);
    await until("it is heard", () => listener.heard.length > 0);
    assert.deepEqual(
      listener.heard.map(({ jobId }) => jobId),
      ["job_1"],
    );
    assert.equal(records.batches.length, 1);
  });

  test("stops sending when the last listener has left", async (t) => {
    const records = new Records();
    const listener = member(t, records);
    listener.relay.wants(EVERYTHING);
    await until("it is listed", () => Object.keys(records.roster.readers).length > 0);
    const { tell, readers } = member(t, records);
    tell(newsOf("job_1"));
    await until("it is heard", () => listener.heard.length === 1);
    listener.relay.wants(undefined);
    await until("it is listed no more", () => Object.keys(records.roster.readers).length === 0);
    await until("the sender knows", () => readers.size === 0);
    tell(newsOf("job_2"));
    assert.equal(records.batches.length, 1);
  });

  test("sends no long payload: it is read from the job, and a job that is gone is not heard of", async (t) => {
    const records = new Records();
    const listener = member(t, records);
    listener.relay.wants(EVERYTHING);
    await until("it is listed", () => Object.keys(records.roster.readers).length > 0);
    const payload = JSON.stringify("x".repeat(20_000));
    records.jobs = [{ id: "job_kept", payload }];
    const { tell } = member(t, records);
    tell(newsOf("job_gone", { payload }), newsOf("job_kept", { payload }), newsOf("job_last"));
    await until("it is heard", () => listener.heard.some(({ jobId }) => jobId === "job_last"));
    assert.deepEqual(
      listener.heard.map((news) => [news.jobId, news.payload.length]),
      [
        ["job_kept", payload.length],
        ["job_last", 1],
      ],
    );
  });

  test("a listener that falls behind skips what was written over, and says so", async (t) => {
    const records = new Records();
    const listener = member(t, records);
    const put = (key: string, value: unknown) =>
      records.store.putRecord({ ...batchName("p", 0), key, value: JSON.stringify(value) });
    const putBatch = (number: number) => put(batchName("p", number).key, { number, news: [newsOf(`job_${number}`)] });
    await put("roster", { senders: { p: { number: 4, until: Date.now() + 60_000 } } });
    await putBatch(5);
    listener.relay.wants(EVERYTHING);
    await until("the fifth is heard", () => listener.heard.length === 1);
    // The places of 6 and 7 hold batches of one round later.
    for (const number of [38, 39]) await putBatch(number);
    await until("the last is heard", () => listener.heard.length === 3);
    assert.deepEqual(
      listener.heard.map(({ jobId }) => jobId),
      ["job_5", "job_38", "job_39"],
    );
    assert.deepEqual(listener.warnings, ["hook events missed"]);
  });

  test("what a store in trouble does not take is dropped, and what comes later is sent", async (t) => {
    const records = new Records();
    const listener = member(t, records);
    listener.relay.wants(EVERYTHING);
    await until("it is listed", () => Object.keys(records.roster.readers).length > 0);
    const sender = member(t, records);
    sender.tell(newsOf("job_1"));
    await until("the first is heard", () => listener.heard.length === 1);
    records.isBroken = true;
    sender.tell(newsOf("job_2"));
    await until("it is dropped", () => sender.warnings.length > 0);
    assert.deepEqual(sender.warnings, ["hook events dropped"]);
    records.isBroken = false;
    sender.tell(newsOf("job_3"));
    await until("the third is heard", () => listener.heard.length === 2);
    assert.deepEqual(
      listener.heard.map(({ jobId }) => jobId),
      ["job_1", "job_3"],
    );
  });
});
