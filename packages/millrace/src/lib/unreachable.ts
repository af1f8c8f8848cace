/** Closes a switch: a new member of the union becomes a compile error here. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
