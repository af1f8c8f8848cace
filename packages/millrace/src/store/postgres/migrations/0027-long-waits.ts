// The oldest open waits, parallel to SQLite's.

export const LONG_WAITS_INDEX = { name: "wait_open", on: "millrace.wait (since) WHERE state = 0 AND type <> 'sleep'" };
