/**
 * The flags `--conditions=…` (`-C …`) of this process. A child process gets the same ones, so that it resolves the exports of
 * packages as its parent does.
 */
export const CONDITIONS: readonly string[] = conditionsIn(process.execArgv);

export function conditionsIn(flags: readonly string[]): string[] {
  return flags.flatMap((flag, index) => {
    if (/^(--conditions|-C)=/.test(flag)) return [flag];
    const value = flags[index + 1];
    return /^(--conditions|-C)$/.test(flag) && value !== undefined ? [`--conditions=${value}`] : [];
  });
}
