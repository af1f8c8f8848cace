import { Parser } from "htmlparser2";

export interface Sitemap {
  pages: string[];
  /** An index names further sitemaps. */
  maps: string[];
}

const MAX_PAGES = 2_000;
const MAX_MAPS = 100;
const MAX_LOC_CHARS = 2_000;
/**
 * A sitemap nests three deep; with extensions for images and videos five. The parser looks through all open tags at every end
 * tag, so this bound is what makes reading linear.
 */
const MAX_DEPTH = 32;
/** A page takes up to about 60 tags with a thousand images; this is far more than `MAX_PAGES` need. */
const MAX_TAGS = 200_000;
const MAX_MS = 2_000;
const CHUNK_CHARS = 16_384;

/** What a sitemap names, up to the first bound it exceeds; undefined if the bytes are no sitemap. */
export function readSitemap(body: Uint8Array): Sitemap | undefined {
  const xml = new TextDecoder().decode(body);
  if (!/<(?:urlset|sitemapindex)/i.test(xml.slice(0, 5_000))) return undefined;
  const reader = new SitemapReader();
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  const until = performance.now() + MAX_MS;
  for (let at = 0; at < xml.length && !reader.isDone && performance.now() < until; at += CHUNK_CHARS) {
    parser.write(xml.slice(at, at + CHUNK_CHARS));
  }
  return reader.found;
}

class SitemapReader {
  readonly found: Sitemap = { pages: [], maps: [] };
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
    const { pages, maps } = this.found;
    if (address !== "" && address.length <= MAX_LOC_CHARS) (this.#within === "sitemap" ? maps : pages).push(address);
    if (pages.length >= MAX_PAGES || maps.length >= MAX_MAPS) this.#stop();
  }

  /** A paused parser hears the rest of its chunk no more. */
  #stop(): void {
    this.isDone = true;
    this.#parser?.pause();
  }
}
