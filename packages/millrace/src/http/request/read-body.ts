import { AppError } from "../../lib/app-error.ts";

export const MAX_BODY_BYTES = 1_048_576;
const MAX_DEPTH = 64;
// An object of 80,000 different keys took a second to parse, check and compare (Node, 2 cores), and held up all other
// requests meanwhile. Objects that share their keys, such as a thousand submissions, cost a tenth of that.
const MAX_KEYS_OF_ONE = 10_000;
const MAX_KEYS = 50_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON; undefined if there is none. Throws `invalid-json`, `too-large` or `unsupported-media-type`. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readAll(request);
  if (bytes.byteLength === 0) return undefined;
  requireJsonType(request);
  return parse(decode(bytes));
}

/** The body as text, of any media type. Throws `too-large`, or `invalid-json` if it is not UTF-8. */
export async function readText(request: Request): Promise<string> {
  return decode(await readAll(request));
}

async function readAll(request: Request): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  // A declared length that fits makes counting on the way unnecessary.
  if (length !== null) {
    if (Number(length) > MAX_BODY_BYTES) throw tooLarge();
    return new Uint8Array(await request.arrayBuffer());
  }
  // A request that came over HTTP/2, or that a program made, has neither header and may have a body.
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A form on another site can send text/plain without asking; JSON it cannot. */
function requireJsonType(request: Request): void {
  const type = request.headers.get("content-type") ?? "";
  if (/^application\/json(\s*;\s*charset=("?)utf-8\2)?\s*$/i.test(type)) return;
  throw new AppError("unsupported-media-type", "The body must be sent as application/json.", {
    hint: 'Add the header "Content-Type: application/json".',
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError("invalid-json", "The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  const { depth, keys, mostKeysOfOne, mayOverflow } = scan(text);
  if (depth > MAX_DEPTH) throw new AppError("invalid-json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (mostKeysOfOne > MAX_KEYS_OF_ONE)
    throw tooManyKeys(`An object in the body has more than ${MAX_KEYS_OF_ONE} keys.`);
  if (keys > MAX_KEYS) throw tooManyKeys(`The objects in the body have more than ${MAX_KEYS} keys in total.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid-json", `The body is not JSON: ${(error as Error).message}`);
  }
  if (MAY_HAVE_PROTO.test(text) && some(value, hasProtoKey)) {
    throw new AppError("invalid-json", 'The key "__proto__" is not allowed in the body.', {
      hint: "Rename the key.",
    });
  }
  // The number would be parsed as Infinity and stored as null.
  if (mayOverflow && some(value, isInfinite)) {
    throw new AppError("invalid-json", "The body has a number above 1.8e308, which cannot be stored.", {
      hint: "Send it as a string.",
    });
  }
  return value;
}

// The escape "\u005f_proto__" is the same key.
const MAY_HAVE_PROTO = /__proto__|\\u005f/i;
const MAX_DIGITS = 308;

/** Measures the text itself, because both runtimes parse half a million levels and then fail at writing them. */
function scan(text: string): { depth: number; keys: number; mostKeysOfOne: number; mayOverflow: boolean } {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  let mostKeysOfOne = 0;
  // The keys of the objects around this place, by their depth.
  const keysAt: number[] = [];
  let digits = 0;
  let mayOverflow = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    // A number with an exponent, or with more digits than a double has room for.
    if (char >= 48 && char <= 57) {
      if (++digits > MAX_DIGITS) mayOverflow = true;
      continue;
    }
    if (digits > 0 && (char === 69 || char === 101)) mayOverflow = true;
    digits = 0;
    switch (char) {
      case 34: // a string: skip to its end
        for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
        break;
      case 58: // a colon ends a key
        keys++;
        keysAt[depth] = (keysAt[depth] ?? 0) + 1;
        if ((keysAt[depth] as number) > mostKeysOfOne) mostKeysOfOne = keysAt[depth] as number;
        break;
      case 91:
      case 123:
        if (++depth > deepest) deepest = depth;
        // A deeper value is refused in any case.
        if (depth <= MAX_DEPTH) keysAt[depth] = 0;
        break;
      case 93:
      case 125:
        depth--;
        break;
    }
  }
  return { depth: deepest, keys, mostKeysOfOne, mayOverflow };
}

function some(value: unknown, is: (value: unknown) => boolean): boolean {
  if (is(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((each) => some(each, is));
}

function hasProtoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function tooManyKeys(message: string): AppError {
  return new AppError("too-large", message, {
    hint: "Send an array of pairs, or a string, instead of one large object.",
  });
}

function tooLarge(): AppError {
  return new AppError("too-large", `The body is over ${MAX_BODY_BYTES} bytes.`);
}
