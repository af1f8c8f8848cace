/** As it is drawn. What no format sees is taken away; lines stay where they are, and a fault at the end is on the last of them. */
export function normalised(source: string): string {
  return source
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .trimEnd();
}
