import { Parser } from "htmlparser2";

export interface Sitemap {
  pages: string[];
  /** An index names further sitemaps. */
  maps: string[];
}

const MAX_PAGES = 2_000;

/** The `<loc>`s of a sitemap. Streamed, so entities are not expanded and depth costs nothing. */
export function readSitemap(xml: string): Sitemap {
  const found: Sitemap = { pages: [], maps: [] };
  let within: "url" | "sitemap" | undefined;
  let text: string | undefined;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === "url" || name === "sitemap") within = name;
        if (name === "loc" && within !== undefined) text = "";
      },
      ontext(data) {
        if (text !== undefined && text.length < 2_000) text += data;
      },
      onclosetag(name) {
        if (name === "loc" && text !== undefined) {
          const list = within === "sitemap" ? found.maps : found.pages;
          if (list.length < MAX_PAGES && text.trim() !== "") list.push(text.trim());
          text = undefined;
        }
        if (name === within) within = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const CHUNK = 65_536;
  for (let at = 0; at < xml.length && found.pages.length < MAX_PAGES; at += CHUNK)
    parser.write(xml.slice(at, at + CHUNK));
  parser.end();
  return found;
}
