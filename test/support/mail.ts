/** A kind of one stage whose retries are due at once, for tests of a store without its engine. */
export const MAIL = {
  name: "mail",
  stages: [{ name: "running", maxAttempts: 3, maxCrashes: 1, retry: { baseMs: 1, maxMs: 1 } }],
  retention: { finishedMs: 60_000, deadLetterMs: 60_000 },
};
