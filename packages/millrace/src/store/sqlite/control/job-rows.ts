import { RUNNING } from "../../codes.ts";

/** The jobs that a process runs. */
export const HELD_BY = `SELECT * FROM job WHERE standing = ${RUNNING} AND holder = ?`;
