// Limits of a tenant's own, parallel to SQLite's. NULL: the limit that all tenants have. `taken` of a lane is what it has given of its
// turn, where tenants have weights.

export const TENANT_LIMITS = `
ALTER TABLE millrace.tenant
  ADD COLUMN max_running integer,
  ADD COLUMN rate_count integer,
  ADD COLUMN rate_per_ms bigint,
  ADD COLUMN weight double precision,
  ADD COLUMN queue_max integer,
  ADD COLUMN overflow text,
  ADD COLUMN limited boolean NOT NULL DEFAULT false;
CREATE INDEX tenant_limited ON millrace.tenant (id) WHERE limited;
ALTER TABLE millrace.lane ADD COLUMN taken double precision NOT NULL DEFAULT 0;
`;
