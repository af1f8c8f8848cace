// The store threads as strings in dist/store/*/thread/embedded.js. A bundle of an application contains these modules, but not the
// files of the threads, so a store can start its thread where the package is not installed.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const STORES = ["sqlite", "postgres"];

export async function embedThreads(dist) {
  for (const store of STORES) {
    const folder = join(dist, "store", store, "thread");
    const target = join(folder, "embedded.js");
    if (!existsSync(target)) throw new Error(`${target} is missing: the store imports it`);
    writeFileSync(target, `export const THREAD_CODE = ${JSON.stringify(await scriptOf(join(folder, "thread.js")))};\n`);
  }
}

/** One CommonJS script: that is what a thread can be started from without a file. It finds `pg` from the working directory. */
async function scriptOf(file) {
  const bundle = await rolldown({ input: file, platform: "node", external: ["pg", "@opentelemetry/api"] });
  const { output } = await bundle.generate({ format: "cjs", minify: true, codeSplitting: false });
  await bundle.close();
  if (output.length !== 1) throw new Error(`${file} became ${output.length} files instead of one`);
  return output[0].code;
}
