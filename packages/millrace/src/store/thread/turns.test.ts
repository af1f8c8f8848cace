// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Turns } from "./turns.ts";

interface Named {
  lane: string;
  begun: boolean;
  name: string;
}

describe("turns", () => {
  test("tenants take turns, however many reads each has waiting", () => {
    const turns = new Turns<Named>();
    for (const name of ["a1", "a2", "a3", "a4", "b1", "c1", "b2"]) turns.add(fresh(name));
    assert.deepEqual(namesOf(turns), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    assert.ok(turns.isEmpty);
  });

  test("within a tenant a new read comes before one that has begun, and that one runs on before the next begun", () => {
    const turns = new Turns<Named>();
    for (const name of ["a1", "a2"]) turns.add(fresh(name));
    const long = [turns.next(), turns.next()];
    turns.add({ ...(long[1] as Named), begun: true });
    turns.add({ ...(long[0] as Named), begun: true });
    turns.add(fresh("a3"));
    assert.equal(turns.next()?.name, "a3");
    const first = turns.next() as Named;
    turns.add(first);
    assert.equal(turns.next(), first, "it goes on");
  });

  test("a lane that may not go is passed over and keeps its place", () => {
    const turns = new Turns<Named>();
    for (const name of ["a1", "b1"]) turns.add(fresh(name));
    assert.equal(turns.next((lane) => lane !== "a")?.name, "b1");
    assert.equal(
      turns.next((lane) => lane !== "a"),
      undefined,
    );
    assert.equal(turns.next()?.name, "a1");
  });
});

function fresh(name: string): Named {
  return { lane: name[0] as string, begun: false, name };
}

function namesOf(turns: Turns<Named>): string[] {
  const names: string[] = [];
  for (let turn = turns.next(); turn; turn = turns.next()) names.push(turn.name);
  return names;
}
