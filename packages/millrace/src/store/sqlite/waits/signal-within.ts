import { needsPostgres } from "../submit/submit-within.ts";

export function signalWithin(): never {
  throw needsPostgres("Signal");
}
