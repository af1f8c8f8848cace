export * from "../sdk.ts";
