import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { ManualClock } from "../../../lib/clock.ts";
import { OwnLease } from "./own-lease.ts";

const LEASE_MS = 30_000;

describe("the lease of a process", () => {
  let clock: ManualClock;
  let lease: OwnLease;

  beforeEach(() => {
    clock = new ManualClock();
    lease = new OwnLease({ clock, leaseMs: LEASE_MS, delayPatienceMs: 5_000 });
    lease.begin(clock.now());
  });

  test("is renewed when a third of it is spent", () => {
    clock.advance(LEASE_MS / 3);
    assert.equal(lease.needsRenewal(clock.now()), false);
    clock.advance(1);
    assert.equal(lease.needsRenewal(clock.now()), true);
    lease.renewed(clock.now());
    assert.equal(lease.needsRenewal(clock.now()), false);
  });

  test("gives other processes a moment after the start", () => {
    assert.equal(lease.isPatient, true);
    clock.advance(2_000);
    assert.equal(lease.isPatient, false);
  });

  test("gives other processes a whole lease after the clock was set, forward or back", () => {
    for (const ms of [3_600_000, -3_600_000]) {
      clock.advance(LEASE_MS);
      lease.renewed(clock.now());
      assert.equal(lease.isPatient, false);
      clock.jump(ms);
      assert.equal(lease.needsRenewal(clock.now()), true);
      assert.equal(lease.renewed(clock.now()), true);
      assert.equal(lease.needsRenewal(clock.now()), false);
      clock.advance(LEASE_MS - 1);
      assert.equal(lease.isPatient, true);
      clock.advance(1);
      assert.equal(lease.isPatient, false);
    }
  });

  test("does not take a nudge of the clock for a jump, and takes a smaller one for it where leases are short", () => {
    clock.jump(2_000);
    assert.equal(lease.renewed(clock.now()), false);
    const short = new OwnLease({ clock, leaseMs: 2_000, delayPatienceMs: 5_000 });
    short.begin(clock.now());
    clock.jump(1_001);
    assert.equal(short.needsRenewal(clock.now()), true);
    assert.equal(short.renewed(clock.now()), true);
  });

  test("is due again at once after a renewal that failed", () => {
    lease.renewed(clock.now());
    lease.noteDelay();
    assert.equal(lease.needsRenewal(clock.now()), true);
    lease.renewed(clock.now());
    assert.equal(lease.needsRenewal(clock.now()), false);
  });

  test("gives other processes a moment after a delay, once", () => {
    clock.advance(5_000);
    lease.noteDelay();
    assert.equal(lease.isPatient, false);
    lease.renewed(clock.now());
    clock.advance(4_999);
    assert.equal(lease.isPatient, true);
    clock.advance(1);
    lease.renewed(clock.now());
    assert.equal(lease.isPatient, false);
  });

  test("a delay does not shorten the moment that a jump has given", () => {
    clock.advance(5_000);
    clock.jump(3_600_000);
    lease.noteDelay();
    lease.renewed(clock.now());
    clock.advance(LEASE_MS - 1);
    assert.equal(lease.isPatient, true);
  });

  test("never waits longer than a lease", () => {
    const short = new OwnLease({ clock, leaseMs: 1_000, delayPatienceMs: 5_000 });
    short.begin(clock.now());
    clock.advance(1_000);
    assert.equal(short.isPatient, false);
    short.noteDelay();
    short.renewed(clock.now());
    clock.advance(1_000);
    assert.equal(short.isPatient, false);
  });
});
