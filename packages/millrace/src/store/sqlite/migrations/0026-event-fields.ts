// Each kept event under its fields, so that a wait reads the events that can fit it and no others (store/decide/waits/filed-events.ts). Events
// of earlier releases, and of those that run beside this one, are not filed.

export const EVENT_FIELDS = `
ALTER TABLE event ADD COLUMN filed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX event_published ON event (tenant, topic, at, id);
CREATE INDEX event_unfiled ON event (tenant, topic, at, id) WHERE filed = 0;
CREATE TABLE event_field (
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (entry, at, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_field_event ON event_field (event);
`;
