// How both stores write a job's standing, and what it has beside its row. A file moved to PostgreSQL keeps its numbers.

import { STANDINGS, type Standing } from "../job/job.ts";

export const SCHEDULED = 0;
export const READY = 1;
export const SUSPECT = 2;
export const HELD = 3;
export const RUNNING = 4;
export const COMPLETED = 5;
export const FAILED = 6;
export const REJECTED = 7;
export const CANCELLED = 8;

export const codeOf = Object.fromEntries(STANDINGS.map((name, code) => [name, code])) as Record<Standing, number>;

/** Flags for what a job has beside its row, so that settling and deleting touch only tables that have rows of it. */
export const HAS_LARGE_PAYLOAD = 1;
export const HAS_LARGE_RESULT = 2;
export const HAS_UNIQUE_KEY = 4;
export const HAS_STEPS = 8;
export const HAS_LOGS = 16;
export const HAS_ATTEMPTS = 32;
export const HAS_ARTIFACTS = 64;
export const HAS_SHARES = 128;
/** A second submission of the same work has joined the job, so another caller may wait for it. */
export const JOINED = 256;
/** It follows the live job of its unique key, and gets the key when that ends. It stands scheduled until then. */
export const FOLLOWS = 2 ** 26;

/** How long a job that follows another of the same unique key waits before it is claimed for the first time. */
export const FOLLOW_AFTER_MS = 250;
