// Which processes want news of others, and which send it: one record in the store that all processes share. An entry
// expires if its process does not renew it.

import { AppError } from "../../lib/app-error.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Interest } from "./hooks.ts";

/** A space of the application cannot have this name. */
const SPACE = { space: "@hooks", tenant: "default" };
const KEY = "roster";
export const ENTRY_MS = 60_000;
export const RENEW_MS = ENTRY_MS / 3;
const TRIES = 20;
const PAUSE = { baseMs: 2, maxMs: 100 };

export interface Roster {
  readers: Record<string, Interest & { until: number }>;
  /** The batches that each process had sent when it wrote its entry. */
  senders: Record<string, { number: number; until: number }>;
}

export function recordName(key: string): { space: string; tenant: string; key: string } {
  return { ...SPACE, key };
}

export async function readRoster(store: Store, clock: Clock): Promise<Roster> {
  return (await readVersion(store, clock)).roster;
}

/** Adds, renews or removes an entry. */
export async function changeRoster(store: Store, clock: Clock, change: (roster: Roster) => void): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const { roster, version } = await readVersion(store, clock);
    change(roster);
    const value = JSON.stringify(roster);
    const answer = await store.putRecord({ ...recordName(KEY), value, ifVersion: version, expiresInMs: ENTRY_MS });
    if (!("conflict" in answer)) return;
    await new Promise((resolve) => setTimeout(resolve, backoffMs(tries, PAUSE, Math.random)));
  }
  throw new AppError("record-conflict", "Too many processes changed the roster of hooks at the same time.");
}

async function readVersion(store: Store, clock: Clock): Promise<{ roster: Roster; version: number }> {
  const record = await store.findRecord(recordName(KEY));
  const { readers = {}, senders = {} } = record ? (JSON.parse(record.value) as Partial<Roster>) : {};
  const now = clock.now();
  return { roster: { readers: living(readers, now), senders: living(senders, now) }, version: record?.version ?? 0 };
}

function living<Entry extends { until: number }>(entries: Record<string, Entry>, now: number): Record<string, Entry> {
  return Object.fromEntries(Object.entries(entries).filter(([, { until }]) => until > now));
}
