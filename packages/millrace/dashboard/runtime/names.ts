// The names that pages of workloads import, each with the module of the dashboard that answers. Pages keep them external, so
// that a page runs on the dashboard's own React and not on a second one.

export const RUNTIME: Readonly<Record<string, string>> = {
  react: "runtime/react.ts",
  "react/jsx-runtime": "runtime/jsx-runtime.ts",
  "react/jsx-dev-runtime": "runtime/jsx-runtime.ts",
  "react-dom": "runtime/react-dom.ts",
  "millrace/client": "runtime/client.ts",
  "millrace/dashboard": "runtime/dashboard.ts",
};
