// What a death tells: whether the process was stopping, when it was found dead with jobs in hand, and which jobs ran beside
// a suspect that was alone in its process (a JSON array of ids).

export const DEATHS = `
ALTER TABLE instance ADD COLUMN draining INTEGER NOT NULL DEFAULT 0;
ALTER TABLE instance ADD COLUMN died_at INTEGER;
ALTER TABLE attempt ADD COLUMN beside TEXT;
`;
