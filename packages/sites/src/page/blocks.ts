import type { Block } from "./block.ts";
import { cleanText, clip, split } from "./clean.ts";
import { readsLikeInstructions } from "./instructions.ts";
import { type OpenElements, PHRASING } from "./open-elements.ts";

const MAX = {
  headings: 300,
  passages: 3_000,
  passageChars: 2_000,
  headingChars: 300,
  cellChars: 200,
  gatheredChars: 16_000,
  hidden: 30,
};

/** Text on its way to a border of blocks. */
interface GatheredText {
  text: string;
  /** There is more in it than white space. */
  isWritten: boolean;
  linkChars: number;
}

const nothing = (): GatheredText => ({ text: "", isWritten: false, linkChars: 0 });
const isHeading = (name: string) => /^h[1-6]$/.test(name);
const isCell = (name: string) => name === "td" || name === "th";

/** Gathers text into blocks: paragraphs, headings, list items, rows. */
export class Blocks {
  readonly all: Block[] = [];
  /** Text that visitors do not see and that reads like instructions to a model. */
  readonly instructions: string[] = [];
  readonly #open: OpenElements;
  #seen = nothing();
  #hidden = nothing();
  #level: number | undefined;
  #lastHeading = "";
  #headings = 0;
  #passages = 0;

  constructor(open: OpenElements) {
    this.#open = open;
  }

  add(text: string): void {
    const gathered = this.#gathered;
    gathered.text += text;
    gathered.isWritten ||= /\S/.test(text);
    if (this.#open.isInLink) gathered.linkChars += text.trim().length;
    if (gathered.text.length > MAX.gatheredChars && this.#level === undefined) this.#flushWords();
  }

  /** What a new element does to the text before it. Called before the element is open. */
  begin(name: string): void {
    if (isHeading(name)) {
      this.#endHeading();
      this.#border();
      this.#level = Number(name[1]);
    } else if (isCell(name)) this.#cell();
    else if (name === "br") this.#lineBreak();
    else if (name === "img") this.#gathered.text += " ";
    else if (!PHRASING.has(name)) this.#border();
  }

  /** Called while the element is still open. */
  end(name: string): void {
    if (isHeading(name)) this.#endHeading();
    else if (!PHRASING.has(name) && !isCell(name)) this.#border();
    // Hidden words within a line are a block of their own, so that they never run into the words around them.
    if (this.#open.innermostHides) this.#flushHidden();
  }

  finish(): void {
    this.#endHeading();
    this.#flush();
  }

  get #gathered(): GatheredText {
    return this.#open.isHidden ? this.#hidden : this.#seen;
  }

  /** Where one block ends and the next begins. Inside a heading the text goes on. */
  #border(): void {
    if (this.#level !== undefined) this.#gathered.text += " ";
    else this.#flush();
  }

  /** Short cells of a row stay together; long ones are columns of a layout. */
  #cell(): void {
    const { text, isWritten } = this.#gathered;
    if (text.length > MAX.cellChars) this.#border();
    else if (isWritten) this.#gathered.text += " | ";
  }

  /** Two line breaks in a row make a paragraph on many old pages. */
  #lineBreak(): void {
    const { text, isWritten } = this.#gathered;
    if (isWritten && /\n\s{0,20}$/.test(text.slice(-20))) this.#border();
    else if (isWritten) this.#gathered.text += "\n";
  }

  #endHeading(): void {
    if (this.#level === undefined) return;
    const level = this.#level;
    this.#level = undefined;
    this.#flush(level);
  }

  #flush(level?: number): void {
    if (this.#open.isHidden) this.#flushHidden(level);
    else {
      this.#keep(this.#seen, level);
      this.#seen = nothing();
    }
  }

  /** All but the last word, which may go on. */
  #flushWords(): void {
    const gathered = this.#gathered;
    const space = gathered.text.lastIndexOf(" ") + 1;
    // Without a space near the end all of it goes, or the same long word would be looked through at every letter.
    const end = space > gathered.text.length / 2 ? space : gathered.text.length;
    const rest = gathered.text.slice(end);
    gathered.text = gathered.text.slice(0, end);
    this.#flush();
    this.add(rest);
  }

  #flushHidden(level?: number): void {
    const text = cleanText(this.#hidden.text);
    if (readsLikeInstructions(text)) {
      if (this.instructions.length < MAX.hidden) this.instructions.push(clip(text, 300));
    } else if (!this.#open.isUnseen) this.#keep(this.#hidden, level);
    this.#hidden = nothing();
  }

  #keep(gathered: GatheredText, level: number | undefined): void {
    const text = cleanText(gathered.text);
    const pieces = level === undefined ? split(text, MAX.passageChars) : [clip(text, MAX.headingChars)];
    for (const piece of pieces) {
      if (piece === "") continue;
      if (level !== undefined) this.#lastHeading = piece;
      if (level === undefined ? ++this.#passages > MAX.passages : ++this.#headings > MAX.headings) continue;
      this.all.push({
        box: this.#open.box(),
        text: piece,
        level,
        linkChars: Math.round((gathered.linkChars * piece.length) / text.length),
        heading: this.#lastHeading,
        isCollapsed: this.#open.isCollapsed,
      });
    }
  }
}
