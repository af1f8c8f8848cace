// The deadline of a job. The index holds live jobs that have one, so that other jobs cost nothing.

export const DEADLINE = `
ALTER TABLE job ADD COLUMN deadline_at INTEGER;
CREATE INDEX job_deadline ON job (deadline_at) WHERE deadline_at IS NOT NULL AND standing < 5;
`;
