import { gunzipSync, constants as zlib } from "node:zlib";
import { Parser } from "htmlparser2";

export interface Sitemap {
  pages: string[];
  /** An index names further sitemaps. */
  maps: string[];
  /** How many pages it names, of which `pages` are the first. */
  total: number;
  /** There may be more: a bound was reached, or the file was cut off. */
  isCut: boolean;
}

const MAX_PAGES = 2_000;
const MAX_MAPS = 100;
const MAX_LOC_CHARS = 2_000;
/**
 * A sitemap nests three deep; with extensions for images and videos five. The parser looks through all open tags at every end
 * tag, so this bound is what makes reading linear.
 */
const MAX_DEPTH = 32;
/** A sitemap of 50,000 pages, the most there may be, has four tags for each. */
const MAX_TAGS = 400_000;
const MAX_MS = 2_000;
const MAX_UNPACKED_BYTES = 20_000_000;
const CHUNK_CHARS = 16_384;

/** What a sitemap names, up to the first bound it exceeds; undefined if the bytes are no sitemap. */
export function readSitemap(body: Uint8Array, isTruncated = false): Sitemap | undefined {
  const unpacked = unpack(body);
  if (unpacked === undefined) return undefined;
  const xml = new TextDecoder().decode(unpacked);
  if (!/<(?:urlset|sitemapindex)/i.test(xml.slice(0, 5_000))) return undefined;
  const reader = new SitemapReader();
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  const until = performance.now() + MAX_MS;
  let at = 0;
  for (; at < xml.length && !reader.isDone && performance.now() < until; at += CHUNK_CHARS) {
    parser.write(xml.slice(at, at + CHUNK_CHARS));
  }
  reader.found.isCut = isTruncated || reader.isDone || at < xml.length;
  return reader.found;
}

/** Sitemaps ending in `.gz` are packed themselves, whatever the headers say. One that was cut off gives what there is. */
function unpack(body: Uint8Array): Uint8Array | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return gunzipSync(body, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    return undefined;
  }
}

class SitemapReader {
  readonly found: Sitemap = { pages: [], maps: [], total: 0, isCut: false };
  isDone = false;
  #within: "url" | "sitemap" | undefined;
  #text: string | undefined;
  #depth = 0;
  #tags = 0;
  #parser: { pause(): void } | undefined;

  onparserinit(parser: { pause(): void }): void {
    this.#parser = parser;
  }

  onopentagname(name: string): void {
    if (++this.#tags > MAX_TAGS || ++this.#depth > MAX_DEPTH) return this.#stop();
    if (name === "url" || name === "sitemap") this.#within = name;
    if (name === "loc" && this.#within !== undefined) this.#text = "";
  }

  ontext(data: string): void {
    if (this.#text !== undefined && this.#text.length <= MAX_LOC_CHARS) this.#text += data;
  }

  onclosetag(name: string): void {
    this.#depth--;
    if (name === "loc" && this.#text !== undefined) this.#keep(this.#text.trim());
    if (name === this.#within) this.#within = undefined;
  }

  #keep(address: string): void {
    this.#text = undefined;
    if (address === "" || address.length > MAX_LOC_CHARS) return;
    const { pages, maps } = this.found;
    if (this.#within === "sitemap") {
      if (maps.push(address) >= MAX_MAPS) this.#stop();
    } else {
      this.found.total++;
      if (pages.length < MAX_PAGES) pages.push(address);
    }
  }

  /** A paused parser hears the rest of its chunk no more. */
  #stop(): void {
    this.isDone = true;
    this.#parser?.pause();
  }
}
