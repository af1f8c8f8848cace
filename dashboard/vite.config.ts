import { defineConfig } from "vite";

// `npx vite dashboard` serves the pages as they are edited, on the API of a server at port 3000.
const API = process.env["MILLRACE_URL"] ?? "http://127.0.0.1:3000";

export default defineConfig({
  base: "/ui/",
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
