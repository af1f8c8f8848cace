// Kept events under their fields, parallel to SQLite's.

export const EVENT_FIELDS = `
ALTER TABLE millrace.event ADD COLUMN filed boolean NOT NULL DEFAULT false;
CREATE TABLE millrace.event_field (
  entry text NOT NULL,
  at bigint NOT NULL,
  event bigint NOT NULL,
  PRIMARY KEY (entry, at, event)
);
CREATE INDEX event_field_event ON millrace.event_field (event);
`;

export const PUBLISHED_INDEX = { name: "event_published", on: "millrace.event (tenant, topic, at, id)" };
export const UNFILED_INDEX = { name: "event_unfiled", on: "millrace.event (tenant, topic, at, id) WHERE NOT filed" };
