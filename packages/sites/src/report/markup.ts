/** Markup that may be put into a page as it is. Only `html` makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | false | null | undefined | readonly Piece[];

/** A template in which everything is text unless it is markup itself: no word of a site or a model becomes a tag. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(strings.reduce((all, string, i) => all + string + (i < pieces.length ? shown(pieces[i]) : ""), ""));
}

function shown(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (Array.isArray(piece)) return piece.map((each) => shown(each as Piece)).join("");
  return piece === false || piece === null || piece === undefined ? "" : escapeHtml(String(piece));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A link to a page of the web; anything else stays text. It says nothing of where it was clicked and passes on no credit. */
export function link(url: string, text: string = url): Markup {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return html`${text}`;
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${text}</a>`;
}
