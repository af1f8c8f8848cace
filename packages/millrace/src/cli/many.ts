import { UsageError } from "./arguments/command.ts";
import { EXIT } from "./arguments/exit.ts";
import { plural } from "./output/format.ts";
import { type ShowFlags, tell } from "./output/show.ts";

interface ManyAnswer {
  readonly matched: number;
  readonly changed: number;
  readonly dryRun: boolean;
  readonly jobIds: readonly string[];
  readonly operation?: { readonly id: string } | undefined;
}

/** The jobs of an act on many: ids, or a filter with a condition. All jobs only if that is asked for. */
export function targetOf<Filter extends object>(
  ids: readonly string[],
  filter: Filter,
  all = false,
): { ids: string[] } | { filter: Filter } {
  const filtered = Object.keys(filter).length > 0;
  if (ids.length > 0 && (filtered || all)) throw new UsageError("Give either ids or a filter, not both.");
  if (ids.length > 0) return { ids: [...ids] };
  if (!filtered && !all) throw new UsageError("Name the jobs by id, or give a filter such as --kind text --since 1h.");
  return { filter };
}

/**
 * Prints `3 of 4 jobs cancelled.` Returns exit code 4 if ids were given and the act was not possible for all of them.
 */
export function tellMany(flags: ShowFlags, answer: ManyAnswer, done: string, given?: readonly string[]): number {
  const { matched, changed, dryRun, operation } = answer;
  if (operation) {
    const next = `The server goes on by itself: millrace operations show ${operation.id} --wait`;
    tell(flags, answer, `${plural(matched, "job")} will be ${done} by operation ${operation.id}.\n${next}`);
    return EXIT.ok;
  }
  const missed = given !== undefined && !dryRun && changed < given.length;
  const sentence = dryRun
    ? `${plural(matched, "job")} would be ${done}.`
    : `${changed === matched ? "" : `${changed} of `}${plural(matched, "job")} ${done}.`;
  tell(flags, answer, sentence);
  return missed ? EXIT.refused : EXIT.ok;
}
