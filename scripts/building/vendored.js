/** Packages that the build bundles into dist/vendor. They are development dependencies, and nobody installs them. */
export const VENDORED = ["zod"];
