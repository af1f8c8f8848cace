// Started by a test with few file descriptors: asks for the versions of all that draws when none is left, and again afterwards.

import { closeSync, openSync } from "node:fs";
import { RenderPayload } from "../../src/api/render.ts";
import { keysOf } from "../../src/service/keys.ts";

const payload = () => RenderPayload.parse({ format: "mermaid", source: "flowchart LR\n  a --> b" });
const taken: number[] = [];
try {
  for (;;) taken.push(openSync("/dev/null", "r"));
} catch {
  // No descriptor is left.
}
let failed = false;
try {
  keysOf(payload(), "default");
} catch {
  failed = true;
}
for (const descriptor of taken) closeSync(descriptor);
process.stdout.write(JSON.stringify({ taken: taken.length, failed, key: keysOf(payload(), "default").asked }));
