// A diagram in an address: the server stores nothing, and every reader can go on writing.

/** The part after `#`. */
export function sourceToHash(source: string): string {
  const bytes = new TextEncoder().encode(source);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `source=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Undefined: the address holds no diagram. */
export function sourceFromHash(hash: string): string | undefined {
  const encoded = /^#?source=([\w-]+)$/.exec(hash)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const text = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (each) => each.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
