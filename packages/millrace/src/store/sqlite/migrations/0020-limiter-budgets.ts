// Budgets of limiters, and rules that an operator sets. `code` is the rule of the code as JSON, and `is_set` says that an operator has
// replaced it. `limiter_use` has what was taken on a day.

export const LIMITER_BUDGETS = `
ALTER TABLE limiter ADD COLUMN per_day REAL;
ALTER TABLE limiter ADD COLUMN per_tenant_day REAL;
ALTER TABLE limiter ADD COLUMN code TEXT;
ALTER TABLE limiter ADD COLUMN is_set INTEGER NOT NULL DEFAULT 0;
CREATE TABLE limiter_use (
  limiter TEXT NOT NULL,
  -- Since 1970, in UTC.
  day INTEGER NOT NULL,
  -- 0: all tenants together.
  tenant INTEGER NOT NULL,
  used REAL NOT NULL,
  PRIMARY KEY (limiter, day, tenant)
) STRICT, WITHOUT ROWID;
`;
