// Limits of a tenant's own. NULL: the limit that all tenants have. `taken` of a lane is what it has given of its turn, where tenants have
// weights.

export const TENANT_LIMITS = `
ALTER TABLE tenant ADD COLUMN max_running INTEGER;
ALTER TABLE tenant ADD COLUMN rate_count INTEGER;
ALTER TABLE tenant ADD COLUMN rate_per_ms INTEGER;
ALTER TABLE tenant ADD COLUMN weight REAL;
ALTER TABLE tenant ADD COLUMN queue_max INTEGER;
ALTER TABLE tenant ADD COLUMN overflow TEXT;
ALTER TABLE tenant ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tenant_limited ON tenant (id) WHERE limited;
ALTER TABLE lane ADD COLUMN taken REAL NOT NULL DEFAULT 0;
`;
