// node scripts/building/page-modules.js <folder of pages> <folder for the build> …
//
// The dashboard pages of workloads, each as one module and one stylesheet. What the dashboard gives them stays outside, as it
// does for pages that users build with a bundler of their own: docs/guides/workloads.md.

import { join } from "node:path";
import { build } from "vite";

/** The names in dashboard/runtime/names.ts; a test compares them. */
export const GIVEN_BY_DASHBOARD = [
  "react",
  "react/jsx-runtime",
  "react/jsx-dev-runtime",
  "react-dom",
  "millrace/client",
  "millrace/dashboard",
];

async function buildPages(pages, outDir) {
  await build({
    root: pages,
    configFile: false,
    logLevel: "warn",
    build: {
      target: "es2022",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      outDir,
      emptyOutDir: true,
      lib: { entry: join(pages, "index.tsx"), formats: ["es"], fileName: () => "pages.js", cssFileName: "pages" },
      rolldownOptions: { external: GIVEN_BY_DASHBOARD, output: { codeSplitting: false, minify: true } },
    },
  });
}

if (process.argv[1] === import.meta.filename) {
  const folders = process.argv.slice(2);
  for (let i = 0; i < folders.length; i += 2) await buildPages(folders[i], folders[i + 1]);
}
