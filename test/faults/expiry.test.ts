// runtimes: both

import { test } from "node:test";
import { Crew } from "./crew.ts";
import { takenBackAtTheStart } from "./scenarios.ts";

test("whoever takes back the jobs of a dead process says so, also at its very start", { timeout: 30_000 }, (t) =>
  takenBackAtTheStart(new Crew(t)),
);
