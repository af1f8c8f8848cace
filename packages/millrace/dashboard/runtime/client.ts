// The client that the dashboard runs on: with one class of errors, `instanceof` works in pages too.

export * from "../../src/client/index.ts";
