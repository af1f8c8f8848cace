// A process that runs one isolated job until it is killed: `parent.ts <order> <file for pids>`.

import { z } from "zod";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";

const [order = "wait", pids = ""] = process.argv.slice(2);
const module = new URL("../modules/work.ts", import.meta.url);
const kind = defineKind({ name: "k", payload: z.any(), isolation: "process", module });
const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind] });
await millrace.submit(kind, { do: order, pids });
