// runtimes: both

import { test } from "node:test";
import { Crew } from "./support/crew.ts";
import { takenBackAtTheStart } from "./support/scenarios.ts";

test("whoever takes back the jobs of a dead process says so, also at its very start", { timeout: 30_000 }, (t) =>
  takenBackAtTheStart(new Crew(t)),
);
