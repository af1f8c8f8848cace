// The deadline of a job, parallel to SQLite's. The index holds jobs that have one, so that other jobs cost nothing.

export const DEADLINE = `
ALTER TABLE millrace.job ADD COLUMN deadline_at bigint, ALTER COLUMN deadline_at SET STATISTICS 20;
ALTER TABLE millrace.finished ADD COLUMN deadline_at bigint, ALTER COLUMN deadline_at SET STATISTICS 0;
CREATE OR REPLACE VIEW millrace.every_job AS SELECT * FROM millrace.job UNION ALL SELECT * FROM millrace.finished;
`;

export const DEADLINE_INDEX = { name: "job_deadline", on: "millrace.job (deadline_at) WHERE deadline_at IS NOT NULL" };
