// A claim of many jobs is one row that names them, in place of a row version for each (bundles.ts).

export const BUNDLES = `
CREATE TABLE millrace.bundle (
  holder bigint NOT NULL,
  number bigint NOT NULL,
  started_at bigint NOT NULL,
  jobs bigint[] NOT NULL,
  PRIMARY KEY (holder, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- Hundreds of numbers would be compressed, and read again a moment later, for longer than it takes to write them.
ALTER TABLE millrace.bundle SET (toast_tuple_target = 8160);

-- Older processes that still run see no bundles and would take their jobs a second time. Their claims name this sequence and fail
-- from here on; what they hold they can still settle. As a new one: a plan that is kept would find a renamed one by its number.
CREATE SEQUENCE millrace.lane_turn CACHE 1;
SELECT setval('millrace.lane_turn', last_value, is_called) FROM millrace.turn;
DROP SEQUENCE millrace.turn;
`;
