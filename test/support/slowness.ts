/** How slow the machine is, as the runner measured it: 1 on a quiet machine, and more on a busy or old one. */
export const slowness = Math.max(1, Number(process.env["TEST_SLOWNESS"] ?? 1));

/** A time limit for this machine. The `timeout` of a test is scaled by the runner; every other limit goes through here. */
export function scaled(ms: number): number {
  return ms * slowness;
}
