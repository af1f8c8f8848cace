import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LINK_CHARS = 12;

/** A link gives the right to read. It has 71 random bits, so it cannot be guessed. */
export function newLink(): string {
  return Array.from({ length: LINK_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
