import type { Handler } from "htmlparser2";
import { cleanText, clip, countWords } from "./clean.ts";
import { hiddenNames, hidesByStyle } from "./hidden.ts";
import type { PageContent, Passage } from "./page.ts";

export class ReadingStopped extends Error {
  readonly why: "depth" | "tags" | "text";

  constructor(why: ReadingStopped["why"]) {
    super(why);
    this.why = why;
  }
}

const words = (text: string) => new Set(text.split(" "));
const VOID = words("area base br col embed hr img input link meta param source track wbr");
const INLINE = words(
  "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark meter output q rp rt ruby s samp small span strong sub sup time tt u var wbr td th img",
);
const UNREAD = words("script style template noscript svg math iframe object canvas select datalist audio video head");
const ASIDE = words("nav footer header aside menu");
const MAX = {
  links: 2_000,
  headings: 300,
  passages: 3_000,
  passageChars: 2_000,
  hidden: 30,
  jsonLd: 20,
  jsonLdChars: 65_536,
  allJsonLdChars: 131_072,
  robots: 50,
  styleChars: 200_000,
};

interface Open {
  name: string;
  /** What it changes for all inside it. */
  hides: boolean;
  unread: boolean;
  aside: boolean;
}

/** Hears of tags and text one after the other, and keeps what a reader would see. */
export class PageReader implements Partial<Handler> {
  readonly #bounds: { maxDepth: number; maxTags: number; maxTextChars: number };
  readonly #page: PageContent = {
    title: "",
    description: "",
    lang: "",
    canonical: "",
    siteName: "",
    generator: "",
    robots: [],
    headings: [],
    passages: [],
    links: [],
    jsonLd: [],
    dates: [],
    hidden: [],
    scripts: [],
    words: 0,
    appShell: false,
  };
  #open: Open[] = [];
  #hiding = 0;
  #unread = 0;
  #aside = 0;
  #tags = 0;
  #chars = 0;
  #text = "";
  #hiddenText = "";
  #title: string | undefined;
  #heading: { level: number; from: string } | undefined;
  #lastHeading = "";
  #link: { href: string; text: string } | undefined;
  #raw: { into: "json-ld" | "style"; text: string } | undefined;
  #noscript = "";
  #hiddenNames = new Set<string>();
  #mountPoint = false;
  #jsonLdChars = 0;

  constructor(bounds: { maxDepth: number; maxTags: number; maxTextChars: number }) {
    this.#bounds = bounds;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.#tags > this.#bounds.maxTags) throw new ReadingStopped("tags");
    this.#notice(name, attributes);
    if (!INLINE.has(name)) this.#flush();
    else if (name === "td" || name === "th") this.#text += this.#text === "" ? "" : " | ";
    else if (name === "br" || name === "img") this.#text += " ";
    if (VOID.has(name)) return;
    if (this.#open.length >= this.#bounds.maxDepth) throw new ReadingStopped("depth");
    const open = { name, hides: this.#hides(name, attributes), unread: UNREAD.has(name), aside: ASIDE.has(name) };
    // What is hidden must not run into what stands before it in the same line.
    if (open.hides && this.#hiding === 0) this.#flushHidden();
    this.#open.push(open);
    this.#hiding += Number(open.hides);
    this.#unread += Number(open.unread);
    this.#aside += Number(open.aside);
  }

  onclosetag(name: string): void {
    if (VOID.has(name)) return;
    if (name === "title") this.#endTitle();
    if (name === "a") this.#endLink();
    if (/^h[1-6]$/.test(name)) this.#endHeading();
    else if (!INLINE.has(name)) this.#flush();
    if (name === "script" || name === "style") this.#endRaw();
    const open = this.#open.pop();
    if (!open) return;
    this.#hiding -= Number(open.hides);
    this.#unread -= Number(open.unread);
    this.#aside -= Number(open.aside);
    if (open.hides && this.#hiding === 0) this.#flushHidden();
  }

  ontext(text: string): void {
    if (this.#raw) {
      const most = this.#raw.into === "style" ? MAX.styleChars : MAX.jsonLdChars;
      if (this.#raw.text.length < most) this.#raw.text += text.slice(0, most - this.#raw.text.length);
      return;
    }
    if (this.#title !== undefined) {
      if (this.#title.length < 1_000) this.#title += text;
      return;
    }
    if (this.#unread > 0) {
      if (this.#open.at(-1)?.name === "noscript" && this.#noscript.length < 500) this.#noscript += text;
      return;
    }
    this.#chars += text.length;
    if (this.#chars > this.#bounds.maxTextChars) throw new ReadingStopped("text");
    if (this.#hiding > 0) {
      if (this.#hiddenText.length < 2_000) this.#hiddenText += text;
      return;
    }
    if (this.#link && this.#link.text.length < 300) this.#link.text += text;
    this.#text += text;
    if (this.#text.length > MAX.passageChars * 2) this.#flush();
  }

  content(cut?: PageContent["cut"]): PageContent {
    this.#endTitle();
    this.#endLink();
    this.#endHeading();
    this.#flushHidden();
    const page = this.#page;
    page.words = page.passages.reduce((sum, { text }) => sum + countWords(text), 0);
    const asks = /javascript/i.test(this.#noscript);
    page.appShell = page.words < 40 && (asks || this.#mountPoint) && page.scripts.length > 0;
    if (cut !== undefined) page.cut = cut;
    return page;
  }

  #hides(name: string, attributes: Record<string, string>): boolean {
    if (attributes["hidden"] !== undefined && attributes["hidden"] !== "until-found") return true;
    if (name === "dialog" && attributes["open"] === undefined) return true;
    if (attributes["style"] !== undefined && hidesByStyle(attributes["style"])) return true;
    if (this.#hiddenNames.size === 0) return false;
    if (attributes["id"] !== undefined && this.#hiddenNames.has(`#${attributes["id"]}`)) return true;
    return (attributes["class"] ?? "")
      .slice(0, 1_000)
      .split(/\s+/)
      .some((each) => this.#hiddenNames.has(`.${each}`));
  }

  #notice(name: string, attributes: Record<string, string>): void {
    const page = this.#page;
    switch (name) {
      case "html":
        page.lang ||= cleanText(attributes["lang"] ?? attributes["xml:lang"] ?? "").slice(0, 35);
        break;
      case "title":
        if (page.title === "" && this.#unread <= 1) this.#title = "";
        break;
      case "meta":
        this.#meta(attributes);
        break;
      case "link":
        if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes["rel"] ?? ""))
          page.canonical ||= (attributes["href"] ?? "").slice(0, 2_000);
        break;
      case "a":
        this.#endLink();
        if (attributes["href"] && this.#hiding === 0)
          this.#link = { href: attributes["href"].slice(0, 2_000), text: "" };
        break;
      case "time":
        this.#date(attributes["datetime"]);
        break;
      case "script":
        if (/^application\/ld\+json/i.test(attributes["type"] ?? "")) this.#raw = { into: "json-ld", text: "" };
        else if (page.scripts.length < 200) page.scripts.push((attributes["src"] ?? "inline").slice(0, 300));
        break;
      case "style":
        this.#raw = { into: "style", text: "" };
        break;
      case "div":
        if (/^(?:root|app|__next|___gatsby|q-app|svelte|main-app)$/i.test(attributes["id"] ?? ""))
          this.#mountPoint = true;
        break;
      default:
        if (/^h[1-6]$/.test(name)) {
          this.#endHeading();
          this.#heading = { level: Number(name[1]), from: "" };
        }
    }
  }

  #meta(attributes: Record<string, string>): void {
    const page = this.#page;
    const name = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase();
    const content = cleanText((attributes["content"] ?? "").slice(0, 2_000));
    if (name === "description") page.description ||= content;
    else if (name === "og:description") page.description ||= content;
    else if (name === "og:site_name" || name === "application-name") page.siteName ||= content.slice(0, 120);
    else if (name === "generator") page.generator ||= content.slice(0, 120);
    else if (name === "robots" || name === "googlebot") this.#robots(content.toLowerCase());
    else if (/^(?:article:(?:modified|published)_time|og:updated_time|last-modified|date)$/.test(name))
      this.#date(content);
  }

  #robots(content: string): void {
    const { robots } = this.#page;
    const tags = content.split(",").slice(0, Math.min(10, MAX.robots - robots.length));
    robots.push(...tags.map((tag) => clip(tag.trim(), 100)));
  }

  #date(text: string | undefined): void {
    if (!text || this.#page.dates.length >= 20 || !/^\d{4}-\d{2}(?:-\d{2})?/.test(text)) return;
    const at = Date.parse(text.length === 7 ? `${text}-01` : text);
    if (Number.isFinite(at)) this.#page.dates.push(new Date(at).toISOString().slice(0, 10));
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

  #endHeading(): void {
    if (!this.#heading) return;
    const { level } = this.#heading;
    this.#heading = undefined;
    const text = clip(cleanText(this.#text), 300);
    this.#text = "";
    if (text === "") return;
    this.#lastHeading = text;
    if (this.#page.headings.length < MAX.headings) this.#page.headings.push({ level, text });
  }

  #endRaw(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    if (raw?.into === "style") for (const name of hiddenNames(raw.text)) this.#hiddenNames.add(name);
    if (raw?.into === "json-ld") this.#keepJsonLd(raw.text);
  }

  #keepJsonLd(text: string): void {
    this.#jsonLdChars += text.length;
    const isCut = text.length >= MAX.jsonLdChars;
    if (isCut || this.#jsonLdChars > MAX.allJsonLdChars || this.#page.jsonLd.length >= MAX.jsonLd) return;
    this.#page.jsonLd.push(text);
  }

  /** The end of a block: what was gathered is a passage. Inside a heading it goes on. */
  #flush(): void {
    if (this.#heading) {
      this.#text += " ";
      return;
    }
    const text = clip(cleanText(this.#text), MAX.passageChars);
    this.#text = "";
    if (text === "" || this.#page.passages.length >= MAX.passages) return;
    const passage: Passage = { text, heading: this.#lastHeading, aside: this.#aside > 0 };
    this.#page.passages.push(passage);
  }

  #flushHidden(): void {
    if (this.#hiddenText === "") {
      if (!this.#heading) this.#flush();
      return;
    }
    const text = clip(cleanText(this.#hiddenText), 300);
    this.#hiddenText = "";
    if (countWords(text) >= 5 && this.#page.hidden.length < MAX.hidden) this.#page.hidden.push(text);
  }
}
