// Pending jobs as they are counted by the reason they wait for. Each job counts once, by the first reason that fits.

import { FOLLOWS, SUSPECT } from "../codes.ts";
import { NEVER, WAITING } from "./codes.ts";

/** The job waits for a sleep, a signal, an event, an approval, other jobs or its concurrency key. */
const HAS_WAIT = `(flags & ${WAITING | FOLLOWS} <> 0 OR run_at = ${NEVER})`;

export const IS_WAITING = `standing = 0 AND ${HAS_WAIT}`;
/** The job has failed attempts behind it. */
export const HAS_FAILED = `standing < ${SUSPECT + 1} AND failures + crashes > 0`;
/** It has failed attempts behind it and waits for its next one. */
export const IS_RETRYING = `${HAS_FAILED} AND NOT (standing = 0 AND ${HAS_WAIT})`;
