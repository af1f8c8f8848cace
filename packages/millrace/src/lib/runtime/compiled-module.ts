import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The file that a module's URL means. TypeScript compiles `./work.ts` to `./work.js` and leaves the URL in
 * `new URL("./work.ts", import.meta.url)` alone. So if there is no such file, the compiled file beside it is meant.
 */
export function compiledModule(url: URL): URL {
  if (url.protocol !== "file:" || existsSync(fileURLToPath(url))) return url;
  const compiled = new URL(url.href.replace(/\.([mc]?)tsx?(?=$|[?#])/, ".$1js"));
  return existsSync(fileURLToPath(compiled)) ? compiled : url;
}
