/** Written out, so that a bundled copy of this code knows it too. A test compares it with package.json. */
export const VERSION = "0.1.0";
