// What a death tells: whether the process was stopping, when it was found dead with jobs in hand, and which jobs ran beside
// a suspect that was alone in its process (a JSON array of ids). No row is rewritten.

export const DEATHS = `
ALTER TABLE millrace.instance ADD COLUMN draining boolean NOT NULL DEFAULT false, ADD COLUMN died_at bigint;
ALTER TABLE millrace.attempt ADD COLUMN beside text;
`;
