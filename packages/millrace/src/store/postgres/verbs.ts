// Every verb of the store as a function of the core: what the thread, and the inline store, can be asked for.

import type { Lease } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import type { Store, Submission, SubmitAnswer } from "../store.ts";
import type { Verb } from "../thread/calls.ts";
import { addAudit, audit, findKey, keys, putKey, revokeKey } from "./access/access.ts";
import { addSession, endSession, findSession } from "./access/sessions.ts";
import { Claims } from "./claim/claims.ts";
import { forget, release, revive, setPaused } from "./control/control.ts";
import { beat, buryDead, cancel } from "./control/revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./control/schedules.ts";
import type { Core } from "./core.ts";
import { circumstances } from "./read/circumstances.ts";
import { deadLetterGroups, deadLetters } from "./read/dead-letters.ts";
import * as reading from "./read/read.ts";
import { tenants } from "./read/tenants.ts";
import { deployments, unpin } from "./register/deployments.ts";
import { register } from "./register/workers.ts";
import { blockLimiter, confirm, keepArtifact, note, renew, saveStep, storedSteps, take } from "./settle/belongings.ts";
import { setLimiters } from "./settle/limiter.ts";
import { Settles } from "./settle/settles.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./sharing/records.ts";
import { linked, linkTo, markRead, share, shared } from "./sharing/share.ts";
import { submit } from "./submit/submit.ts";
import { takeUnique } from "./submit/unique-key.ts";
import { Group } from "./thread/group.ts";
import { lead, prune } from "./upkeep/upkeep.ts";

/** The core's verbs, with those that are asked for every job gathered into groups. */
export function verbsOf(core: Core, settles = new Settles(core)): Pick<Store, Verb> {
  const submits = new Group<Submission[], SubmitAnswer[]>((asks) => submitTogether(core, asks));
  const claims = new Claims(core);
  return {
    submit: (submissions) =>
      submits.ask(
        submissions,
        submissions.reduce((sum, { jobs }) => sum + jobs.length, 0),
      ),
    settle: (lease: Lease, outcome: Outcome) => settles.askOne({ lease, outcome }),
    claim: (request) => claims.ask(request),
    renew: (leases) => renew(core, leases),
    confirm: (lease) => confirm(core, lease),
    note: (lease, written) => note(core, lease, written),
    storedSteps: (lease) => storedSteps(core, lease),
    saveStep: (lease, name, value) => saveStep(core, lease, name, value),
    take: (lease, limiter, cost) => take(core, lease, limiter, cost),
    blockLimiter: (lease, limiter, forMs) => blockLimiter(core, lease, limiter, forMs),
    keepArtifact: (lease, artifact) => keepArtifact(core, lease, artifact),
    takeUnique: (lease, key) => takeUnique(core, lease, key),
    share: (lease, artifact, options) => share(core, lease, artifact, options),
    linkTo: (tenant, key) => linkTo(core, tenant, key),
    shared: (key) => shared(core, key),
    linked: (link) => linked(core, link),
    markRead: (keys) => markRead(core, keys),
    // The dead are buried first: none of them has a plan, a label or a pinned job that counts.
    register: async (plans, registration) => {
      await buryDead(core);
      await register(core, plans, registration);
    },
    setLimiters: (limiters) => setLimiters(core, limiters),
    cancel: (jobIds, reason, options) => cancel(core, jobIds, reason, options),
    release: (jobId, answer) => release(core, jobId, answer),
    revive: (jobId, options) => revive(core, jobId, options),
    forget: (jobIds) => forget(core, jobIds),
    setPaused: (kind, paused) => setPaused(core, kind, paused),
    unpin: async (label) => {
      await buryDead(core);
      return unpin(core, label);
    },
    putSchedule: (schedule, most) => putSchedule(core, schedule, most),
    removeSchedule: (name) => removeSchedule(core, name),
    fire: (name, expectedAt, nextAt, submission) => fire(core, name, expectedAt, nextAt, submission),
    putKey: (key) => putKey(core, key),
    keys: () => keys(core),
    findKey: (id) => findKey(core, id),
    revokeKey: (id) => revokeKey(core, id),
    addSession: (session) => addSession(core, session),
    findSession: (idHash) => findSession(core, idHash),
    endSession: (idHash) => endSession(core, idHash),
    addAudit: (entry) => addAudit(core, entry),
    audit: (page) => audit(core, page),
    findRecord: (name) => findRecord(core, name),
    putRecord: (record) => putRecord(core, record),
    deleteRecord: (name, ifVersion) => deleteRecord(core, name, ifVersion),
    listRecords: (filter) => listRecords(core, filter),
    find: (jobId) => reading.find(core, jobId),
    findMany: (jobIds) => reading.findMany(core, jobIds),
    list: (filter) => reading.list(core, filter),
    count: (filter) => reading.count(core, filter),
    matching: (filter, limit) => reading.matching(core, filter, limit),
    deadLetters: (filter, page) => deadLetters(core, filter, page),
    deadLetterGroups: (filter) => deadLetterGroups(core, filter),
    tenants: () => tenants(core),
    attempts: (jobId) => reading.attempts(core, jobId),
    circumstances: (jobId) => circumstances(core, jobId),
    logs: (jobId, options) => reading.logs(core, jobId, options),
    steps: (jobId) => reading.steps(core, jobId),
    artifacts: (jobId) => reading.artifacts(core, jobId),
    artifact: (jobId, name) => reading.artifact(core, jobId, name),
    kinds: () => reading.kinds(core),
    deployments: () => deployments(core),
    instances: () => reading.instances(core),
    schedules: (filter) => schedules(core, filter),
    size: () => reading.size(core),
    beat: (pools) => beat(core, pools),
    drain: () => core.instances.drain(),
    lead: (forMs) => lead(core, forMs),
    prune: (options) => prune(core, options),
    // Loaded when asked for: it writes a SQLite file, and this store works on a runtime without SQLite.
    backup: async (path) => (await import("./upkeep/backup.ts")).backup(core, path),
  };
}

async function submitTogether(core: Core, asks: Submission[][]): Promise<SubmitAnswer[][]> {
  const answers = await submit(core, asks.flat());
  return asks.map((ask) => answers.splice(0, ask.length));
}
