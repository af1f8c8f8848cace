// One phase of the stored data in a process of its own: main.ts <checkout> <location> first|second|third|read [secrets as JSON]

import { type OpenOptions, openEngine } from "./engine.ts";
import { firstPhase, type Secrets, secondPhase, thirdPhase } from "./phases.ts";
import { readAll } from "./read.ts";

const [checkout = "", location = "", phase, given = "{}"] = process.argv.slice(2);
const options: OpenOptions = { checkout, version: phase === "first" ? "1" : "2", making: true, work: phase !== "read" };
const engine = await openEngine(location, options);
switch (phase) {
  case "first":
    print(await firstPhase(engine));
    await engine.stop();
    break;
  case "second":
    print(await secondPhase(engine));
    break;
  case "third":
    print(await thirdPhase(engine));
    break;
  case "read": {
    const { madeAt, ...secrets } = JSON.parse(given) as Secrets & { madeAt: number };
    print(await readAll(engine, secrets, madeAt));
    await engine.stop();
    break;
  }
  default:
    throw new Error(`Unknown phase "${phase}".`);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
}
