// A schedule's name belongs to its tenant: two tenants may use the same one. Sign-ins of the dashboard are stored, so
// that signing out holds in every process. Only a hash of the cookie is kept. The table of schedules is small, so its
// rows are rewritten in place.

export const SESSIONS = `
ALTER TABLE millrace.schedule ADD COLUMN tenant text;
UPDATE millrace.schedule SET tenant = coalesce(rule::jsonb ->> 'tenant', 'default');
ALTER TABLE millrace.schedule ALTER COLUMN tenant SET NOT NULL;
ALTER TABLE millrace.schedule DROP CONSTRAINT schedule_pkey;
ALTER TABLE millrace.schedule ADD PRIMARY KEY (tenant, name);
CREATE INDEX schedule_due ON millrace.schedule (next_at);

CREATE TABLE millrace.session (
  id_hash text PRIMARY KEY,
  key_id text,
  proof text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX session_expiring ON millrace.session (expires_at);
`;
