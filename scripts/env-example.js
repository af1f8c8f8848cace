// Writes .env.example from the settings table. Node 24 or Bun: it loads TypeScript.
import { writeFileSync } from "node:fs";
import { envExample } from "../src/config/print.ts";

writeFileSync(new URL("../.env.example", import.meta.url), envExample());
