/** Whether this is the long run: `npm run test:torture` sets it. */
export const isTorture = process.env["TORTURE"] === "1";

/** How often a test repeats its fault: `usual` in `npm test`, `torture` in the long run. The variable `name` sets another count. */
export function rounds(name: string, usual: number, torture: number): number {
  return Number(process.env[name] ?? (isTorture ? torture : usual));
}
