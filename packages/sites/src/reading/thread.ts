import { serveOffLoop } from "../off-loop/thread.ts";
import { VERBS } from "./verbs.ts";

serveOffLoop(VERBS);
