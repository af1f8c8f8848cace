/** Packages that the build bundles into dist/vendor. They are development dependencies, so they are not installed with the package. */
export const VENDORED = ["zod"];
