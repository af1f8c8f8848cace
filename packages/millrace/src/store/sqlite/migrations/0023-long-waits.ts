// The oldest open waits, without a look at sleeps: a job may sleep for a year, and a store may have a million of them.

export const LONG_WAITS = "CREATE INDEX wait_open ON wait (since) WHERE state = 0 AND type <> 'sleep';";
