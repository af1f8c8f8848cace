// A claim of many jobs is one row that names them, in place of a row version for each (bundles.ts).

export const BUNDLES = `
CREATE TABLE millrace.bundle (
  holder bigint NOT NULL,
  number bigint NOT NULL,
  started_at bigint NOT NULL,
  jobs bigint[] NOT NULL,
  PRIMARY KEY (holder, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
`;
