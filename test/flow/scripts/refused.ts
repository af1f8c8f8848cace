// Opening a file that is no database fails; then nothing must keep this process alive. Prints the error's code.

import { z } from "zod";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";

const [path = ""] = process.argv.slice(2);
const module = new URL("../modules/work.ts", import.meta.url);
const kind = defineKind({ name: "k", payload: z.null(), isolation: "process", module });
const error = await Millrace.open({ store: sqlite(path), kinds: [kind] }).catch((thrown) => thrown);
console.log(JSON.stringify(error.code));
