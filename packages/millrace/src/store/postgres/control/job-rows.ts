// The statements by which a job that is ended from outside is locked and looked up.

import { NOW } from "../connection/clock.ts";

// In the order of their keys, so that two transactions never wait for each other.
export const LOCK_JOBS = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`;

/** The jobs among these that are finished. */
export const ENDED_JOBS = `SELECT id, standing, flags, failure FROM millrace.finished WHERE id = ANY($1::bigint[])`;
