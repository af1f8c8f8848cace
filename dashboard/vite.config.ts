import { defineConfig, type Plugin } from "vite";

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

export default defineConfig({
  base: "/ui/",
  plugins: [numbersWithoutLocale],
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
  },
  server: { proxy: { "^/(?!ui/)": API } },
});
