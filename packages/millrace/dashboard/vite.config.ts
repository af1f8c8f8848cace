import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { RUNTIME } from "./runtime/names.ts";

// `npx vite dashboard` serves the pages as they are edited, on the API of a server at port 3000.
const API = process.env["MILLRACE_URL"] ?? "http://127.0.0.1:3000";

/**
 * uPlot makes a number format for `navigator.language` as it loads. A browser without a locale calls its language
 * "en-US@posix", which is no language tag, and the overview would not load. Our charts format their numbers themselves.
 */
const numbersWithoutLocale: Plugin = {
  name: "numbers-without-locale",
  enforce: "pre",
  transform(code, id) {
    if (!/\/uplot\/dist\/[^/]+\.js$/i.test(id)) return undefined;
    const fixed = code.replace("domEnv ? nav.language : 'en-US'", "'en-US'");
    if (fixed === code) throw new Error("This uPlot makes its number format in another way: see vite.config.ts.");
    return { code: fixed, map: null };
  },
};

/**
 * The modules that pages of workloads import by name. The build writes their addresses to `runtime.json`, from which the
 * server makes the import map; in development the document gets one at once.
 */
const runtime: Plugin = {
  name: "runtime",
  generateBundle(_options, bundle) {
    const built = Object.values(bundle).flatMap((file) => (file.type === "chunk" && file.isEntry ? [file] : []));
    const imports = Object.entries(RUNTIME).map(([name, source]) => {
      const chunk = built.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/dashboard/${source}`));
      if (!chunk) throw new Error(`${source} was not built.`);
      return [name, chunk.fileName];
    });
    this.emitFile({ type: "asset", fileName: "runtime.json", source: JSON.stringify(Object.fromEntries(imports)) });
  },
  transformIndexHtml(_html, { server }) {
    if (!server) return [];
    const imports = Object.fromEntries(Object.entries(RUNTIME).map(([name, source]) => [name, `/ui/${source}`]));
    const attrs = { type: "importmap" };
    return [{ tag: "script", attrs, children: JSON.stringify({ imports }), injectTo: "head-prepend" }];
  },
};

/** All but the pages that come when they are opened, the charts, and what only pages of workloads use. */
function isOfFirstVisit(id: string): boolean {
  if (/\/node_modules\//.test(id)) return !/\/uplot\//.test(id);
  return !/\/dashboard\/(deployments|approvals|batches|limits|operations\/page|processes|runtime|schedules|settings|stages|submit|tenants|sdk|ui\/(chart|spark|table)|overview\/charts|workloads\/define)/.test(
    id,
  );
}

export default defineConfig(({ command }) => ({
  // Built once for any place: the server makes the addresses in the document absolute, the rest is relative to its file.
  base: command === "build" ? "./" : "/ui/",
  plugins: [numbersWithoutLocale, runtime],
  // Packages of this repository are bundled from their sources.
  resolve: { conditions: ["millrace-source", ...defaultClientConditions] },
  // Packages that are bundled beforehand pass no plugin.
  optimizeDeps: { exclude: ["uplot"] },
  build: {
    target: "es2022",
    // Both themes are written with light-dark(), which these know.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    emptyOutDir: true,
    // The content security policy takes fonts and scripts from files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [
        `${import.meta.dirname}/index.html`,
        ...new Set(Object.values(RUNTIME).map((source) => `${import.meta.dirname}/${source}`)),
      ],
      // Pages import the names of these entries.
      preserveEntrySignatures: "exports-only",
      // Everything of the first visit in one file: in the eight that would be made of it, it is 2 kB larger (gzip).
      output: { codeSplitting: { groups: [{ name: "core", test: isOfFirstVisit }] } },
    },
  },
  server: { proxy: { "^/(?!ui/)": API } },
}));
