// One call of a process pool, seen by the child as an attempt of a job. No store is behind it: steps are forgotten, artifacts
// are collected, and every limit has room.

import type { ClaimedJob } from "../../job/lease.ts";
import type { NewArtifact } from "../../store/verbs/attempts.ts";

import type { SharedArtifact } from "../../store/verbs/sharing.ts";
import type { AttemptPort } from "../context/port.ts";

export interface CollectedArtifacts {
  readonly port: AttemptPort;
  readonly artifacts: readonly NewArtifact[];
}

export function collectArtifacts(): CollectedArtifacts {
  const artifacts: NewArtifact[] = [];
  const shared = new Map<string, SharedArtifact>();
  const port: AttemptPort = {
    note: async () => "written",
    // A number that survives JSON, on its way to the child.
    confirm: async () => ({ forMs: Number.MAX_SAFE_INTEGER }),
    storedSteps: async () => [],
    firstJob: async () => "",
    beginUndoable: async () => "written",
    undosLeft: async () => [],
    saveStep: async () => ({ forMs: Number.MAX_SAFE_INTEGER }),
    resume: async () => [],
    wakeLate: async () => "lease-lost",
    setAside: async () => "lease-lost",
    startChildren: async () => "lease-lost",
    childEnds: async () => "lease-lost",
    dependencies: async () => "lease-lost",
    decideRace: async () => "written",
    openStreams: async () => [],
    appendStreams: async () => "written",
    take: async () => "taken",
    blockLimiter: async () => "written",
    keepArtifact: async (artifact) => {
      artifacts.push(artifact);
      return "written";
    },
    acquireUnique: async () => "held",
    share: async (artifact, { named }) => {
      shared.set(artifact.key, artifact);
      if (named) artifacts.push({ name: artifact.key, contentType: artifact.contentType, bytes: artifact.bytes });
      return named ? { link: artifact.key } : {};
    },
    shared: async (key) => shared.get(key),
  };
  return { port, artifacts };
}

/** A job that is in no store. Each call has a name of its own, so that a late message of an earlier call is ignored. */
export function looseJob(number: number, payload: string): ClaimedJob {
  const now = Date.now();
  return {
    lease: { jobId: `call-${number}`, token: number, slot: 0 },
    tenant: "default",
    payload,
    attempt: 1,
    priority: 0,
    tags: [],
    createdAt: now,
    runAt: now,
    claimedAt: now,
    crashes: 0,
    hasSteps: false,
    isLast: true,
  };
}
