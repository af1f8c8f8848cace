// Kept events under their fields, parallel to SQLite's.

export const EVENT_FIELDS = `
ALTER TABLE millrace.event ADD COLUMN filed boolean NOT NULL DEFAULT false;
CREATE INDEX event_published ON millrace.event (tenant, topic, at, id);
CREATE INDEX event_unfiled ON millrace.event (tenant, topic, at, id) WHERE NOT filed;
CREATE TABLE millrace.event_field (
  entry text NOT NULL,
  at bigint NOT NULL,
  event bigint NOT NULL,
  PRIMARY KEY (entry, at, event)
);
CREATE INDEX event_field_event ON millrace.event_field (event);
`;
