// The causes of dead letters. The index counts the letters of each cause without a look at their rows. Letters from before, and those
// of processes that know no causes, get theirs in the background (upkeep/causes.ts).

export const CAUSES = `
ALTER TABLE job ADD COLUMN cause TEXT;
CREATE INDEX job_cause ON job (cause, finished_at) WHERE standing = 6;
`;
