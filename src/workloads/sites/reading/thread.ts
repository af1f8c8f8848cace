import { serveOffLoop } from "../../../lib/off-loop-thread.ts";
import { VERBS } from "./verbs.ts";

serveOffLoop(VERBS);
