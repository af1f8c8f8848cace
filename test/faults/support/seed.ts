/** Chance that replays: FAULT_SEED repeats a run's choices. The operating system's timing stays its own. */
export function seeded(): { seed: number; random: () => number } {
  const seed = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 32);
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, random };
}
