import { test } from "node:test";
import { Crew } from "./support/crew.ts";
import { onePoisonAmongInnocents } from "./support/scenarios.ts";

for (const dies of ["abort", "kill", "exit"] as const) {
  test(
    `one poison job (${dies}) among nine innocents: nine complete, the tenth is a dead letter`,
    {
      timeout: 60_000,
    },
    (t) => onePoisonAmongInnocents(new Crew(t), dies),
  );
}
