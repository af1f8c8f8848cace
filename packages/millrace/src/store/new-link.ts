import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LINK_CHARS = 12;

/** Whoever has a link may read: 71 bits by chance, which nobody finds by trying. */
export function newLink(): string {
  return Array.from({ length: LINK_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
