import type { Handler } from "htmlparser2";
import { Blocks } from "./blocks.ts";
import { cleanText, clip, countWords } from "./clean.ts";
import { noteAbout } from "./head.ts";
import { keptJsonLd } from "./json-ld-block.ts";
import { type Layout, mainBlocks } from "./main/main-blocks.ts";
import { OpenElements } from "./open-elements.ts";
import type { PageContent } from "./page.ts";

export class ReadingStopped extends Error {
  readonly why: "depth" | "tags" | "text";

  constructor(why: ReadingStopped["why"]) {
    super(why);
    this.why = why;
  }
}

export interface ReadingBounds {
  readonly maxDepth: number;
  readonly maxTags: number;
  readonly maxTextChars: number;
  readonly layout?: Layout;
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const MAX = { links: 2_000, jsonLd: 20, jsonLdChars: 500_000, allJsonLdChars: 131_072, styleChars: 200_000 };
const MOUNT_POINT = /^(?:root|app|__next|__nuxt|___gatsby|q-app|svelte|main-app|ember-application)$/i;

/** Hears of tags and text one after the other, and keeps what a reader would see. */
export class PageReader implements Partial<Handler> {
  readonly #bounds: ReadingBounds;
  readonly #page: PageContent = emptyPage();
  readonly #open = new OpenElements();
  readonly #blocks = new Blocks(this.#open);
  #tags = 0;
  #chars = 0;
  #title: string | undefined;
  #link: { href: string; text: string } | undefined;
  #raw: { into: "json-ld" | "style"; text: string } | undefined;
  #noscript = "";
  #mountPoint = false;
  #jsonLdChars = 0;

  constructor(bounds: ReadingBounds) {
    this.#bounds = bounds;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.#tags > this.#bounds.maxTags) throw new ReadingStopped("tags");
    noteAbout(this.#page, name, attributes);
    this.#notice(name, attributes);
    this.#blocks.begin(name);
    if (VOID.has(name)) return;
    if (this.#open.depth >= this.#bounds.maxDepth) throw new ReadingStopped("depth");
    this.#open.push(name, attributes);
  }

  onclosetag(name: string): void {
    if (VOID.has(name)) return;
    if (name === "title") this.#endTitle();
    if (name === "a") this.#endLink();
    if (name === "script" || name === "style") this.#endRaw();
    this.#blocks.end(name);
    this.#open.pop();
  }

  ontext(text: string): void {
    if (this.#raw) {
      const most = this.#raw.into === "style" ? MAX.styleChars : MAX.jsonLdChars;
      if (this.#raw.text.length < most) this.#raw.text += text.slice(0, most - this.#raw.text.length);
    } else if (this.#title !== undefined) {
      if (this.#title.length < 1_000) this.#title += text;
    } else if (this.#open.isUnread) {
      if (this.#open.innermost === "noscript" && this.#noscript.length < 500) this.#noscript += text;
    } else this.#read(text);
  }

  content(cut?: PageContent["cut"]): PageContent {
    this.#endTitle();
    this.#endLink();
    this.#blocks.finish();
    const page = this.#page;
    const main = mainBlocks(this.#blocks.all, this.#bounds.layout);
    for (const block of this.#blocks.all) {
      const aside = !main.has(block);
      if (block.level !== undefined) page.headings.push({ level: block.level, text: block.text, aside });
      else if (!block.isCollapsed || !aside) page.passages.push({ text: block.text, heading: block.heading, aside });
    }
    page.hidden = this.#blocks.instructions;
    page.words = page.passages.reduce((sum, { text }) => sum + countWords(text), 0);
    const asks = /javascript/i.test(this.#noscript);
    page.appShell = page.words < 40 && (asks || this.#mountPoint) && page.scripts.length > 0;
    if (cut !== undefined) page.cut = cut;
    return page;
  }

  #read(text: string): void {
    this.#chars += text.length;
    if (this.#chars > this.#bounds.maxTextChars) throw new ReadingStopped("text");
    if (this.#link && this.#link.text.length < 300 && !this.#open.isUnseen) this.#link.text += text;
    this.#blocks.add(text);
  }

  #notice(name: string, attributes: Record<string, string>): void {
    const page = this.#page;
    switch (name) {
      case "title":
        if (page.title === "" && !this.#open.isUnread) this.#title = "";
        break;
      case "a":
        this.#endLink();
        if (attributes["href"] && !this.#open.isUnseen)
          this.#link = { href: attributes["href"].slice(0, 2_000), text: "" };
        break;
      case "script":
        if (/^\s{0,9}application\/ld\+json/i.test(attributes["type"] ?? "")) this.#raw = { into: "json-ld", text: "" };
        else if (page.scripts.length < 200) page.scripts.push((attributes["src"] ?? "inline").slice(0, 300));
        break;
      case "style":
        this.#raw = { into: "style", text: "" };
        break;
      case "app-root":
        this.#mountPoint = true;
        break;
      case "div":
        if (MOUNT_POINT.test(attributes["id"] ?? "")) this.#mountPoint = true;
        break;
    }
  }

  #endTitle(): void {
    if (this.#title === undefined) return;
    this.#page.title ||= clip(cleanText(this.#title), 300);
    this.#title = undefined;
  }

  #endLink(): void {
    if (!this.#link) return;
    if (this.#page.links.length < MAX.links) {
      this.#page.links.push({ href: this.#link.href, text: clip(cleanText(this.#link.text), 120) });
    }
    this.#link = undefined;
  }

  #endRaw(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    if (raw?.into === "style") this.#open.hideBySheet(raw.text);
    if (raw?.into === "json-ld") this.#keepJsonLd(raw.text);
  }

  #keepJsonLd(text: string): void {
    const block = text.length >= MAX.jsonLdChars ? undefined : keptJsonLd(text);
    if (block === undefined && text.trim() === "") return;
    this.#jsonLdChars += block?.length ?? 0;
    if (block === undefined || this.#jsonLdChars > MAX.allJsonLdChars) this.#page.jsonLdCut++;
    else if (this.#page.jsonLd.length < MAX.jsonLd) this.#page.jsonLd.push(block);
  }
}

function emptyPage(): PageContent {
  const names = { title: "", description: "", lang: "", canonical: "", base: "", refresh: "", siteName: "" };
  const lists = { robots: [], headings: [], passages: [], links: [], jsonLd: [], dates: [], hidden: [], scripts: [] };
  return { ...names, ...lists, generator: "", jsonLdCut: 0, words: 0, appShell: false };
}
