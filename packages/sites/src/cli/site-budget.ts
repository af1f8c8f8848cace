import { given, UsageError, whole } from "millrace/cli";
/** A budget from its flags; nothing where none is given. */
export function siteBudget(flags: { readonly calls?: string; readonly tokens?: string; readonly usd?: string }) {
  const { calls, tokens, usd } = flags;
  if (calls === undefined && tokens === undefined && usd === undefined) return undefined;
  const amount = Number(usd);
  if (usd !== undefined && !(amount > 0)) throw new UsageError(`--usd is "${usd}". Allowed: an amount above 0.`);
  return given({
    calls: calls === undefined ? undefined : whole("calls", calls, { min: 1, max: 1_000_000 }),
    tokens: tokens === undefined ? undefined : whole("tokens", tokens, { min: 1, max: 10_000_000_000 }),
    usd: usd === undefined ? undefined : amount,
  });
}
