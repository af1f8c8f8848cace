import assert from "node:assert/strict";
import { test } from "node:test";
import { canUnpin, deploymentState } from "./deployment-state.ts";
import type { Deployment } from "./wire.ts";

const idle = deployment("v2", 2, {});

test("a deployment is called drained only if it is not the newest with processes", () => {
  const drained = deployment("v1", 1, {});
  assert.deepEqual([state(idle, drained), state(drained, idle)], ["idle", "drained"]);
  assert.equal(state(deployment("v3", 3, { processes: [] }), idle), "drained");
});

test("a deployment that jobs need is working, or stranded without a process", () => {
  const jobs = { pending: 1, running: 0, pinned: 0 };
  assert.equal(state(deployment("v1", 1, { jobs, removable: false }), idle), "working");
  assert.equal(state(deployment("v1", 1, { jobs, removable: false, processes: [] }), idle), "stranded");
});

test("only a deployment without processes that has pinned jobs can be unpinned", () => {
  const jobs = { pending: 2, running: 0, pinned: 0 };
  assert.equal(canUnpin(deployment("v1", 1, { jobs, removable: false, processes: [] })), false);
  const pinned = { ...jobs, pinned: 1 };
  assert.equal(canUnpin(deployment("v1", 1, { jobs: pinned, removable: false, processes: [] })), true);
  assert.equal(canUnpin(deployment("v1", 1, { jobs: pinned, removable: false })), false);
});

function state(one: Deployment, other: Deployment): string {
  return deploymentState(one, [one, other]);
}

function deployment(label: string, number: number, more: Partial<Deployment>): Deployment {
  const jobs = { pending: 0, running: 0, pinned: 0 };
  return { label, number, plans: [], processes: ["host:1"], jobs, removable: true, ...more };
}
