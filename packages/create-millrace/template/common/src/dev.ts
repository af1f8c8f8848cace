// Both processes in one, for development. Deploy web.ts and worker.ts on their own.

import "./worker.ts";
import "./web.ts";
