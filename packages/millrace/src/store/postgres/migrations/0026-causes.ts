// The causes of dead letters, parallel to SQLite's.

export const CAUSES = `
ALTER TABLE millrace.job ADD COLUMN cause text, ALTER COLUMN cause SET STATISTICS 0;
ALTER TABLE millrace.finished ADD COLUMN cause text, ALTER COLUMN cause SET STATISTICS 100;
CREATE OR REPLACE VIEW millrace.every_job AS SELECT * FROM millrace.job UNION ALL SELECT * FROM millrace.finished;
`;

/** In the order of bytes, so that a range of causes is a range of the index in every locale. */
export const CAUSE_INDEX = {
  name: "finished_cause",
  on: `millrace.finished (cause COLLATE "C", finished_at, id) WHERE standing = 6`,
};
