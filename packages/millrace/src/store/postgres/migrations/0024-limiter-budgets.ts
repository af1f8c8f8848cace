// Budgets of limiters, and rules that an operator sets, parallel to SQLite's.

export const LIMITER_BUDGETS = `
ALTER TABLE millrace.limiter
  ADD COLUMN per_day double precision,
  ADD COLUMN per_tenant_day double precision,
  ADD COLUMN code text,
  ADD COLUMN is_set boolean NOT NULL DEFAULT false;
CREATE TABLE millrace.limiter_use (
  limiter text NOT NULL,
  day integer NOT NULL,
  tenant integer NOT NULL,
  used double precision NOT NULL,
  PRIMARY KEY (limiter, day, tenant)
);
`;
