import { isNear } from "./near.ts";

/** Shorter names are a letter or two away from too many others. */
const SHORTEST_NEAR = 5;
const SHORTEST_PART = 3;

/** The known name that was probably meant: `timeout` for `timeoutMs`, `procesors` for `processors`. */
export function nameMeant(name: string, known: readonly string[]): string | undefined {
  const low = name.toLowerCase();
  const isSame = (each: string) => each.toLowerCase() === low;
  const isPart = (each: string) => {
    const other = each.toLowerCase();
    return low.length >= SHORTEST_PART && (other.startsWith(low) || other.endsWith(low) || low.startsWith(other));
  };
  return (
    known.find(isSame) ??
    (name.length >= SHORTEST_NEAR ? known.find((each) => isNear(each, name)) : undefined) ??
    known.find(isPart)
  );
}

/** The problem with an unknown name: `Unknown option "timeout" for kind "mail". Did you mean "timeoutMs"?` */
export function unknownOption(
  name: string,
  what: string,
  known: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): string {
  const synonym = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  const meant = synonym !== undefined && known.includes(synonym) ? synonym : nameMeant(name, known);
  return `Unknown option "${name}" for ${what}.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`;
}
