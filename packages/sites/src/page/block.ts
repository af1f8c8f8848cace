/** An element that holds text: a paragraph, a list, a section. It is made when its first text is complete. */
export interface TextContainer {
  readonly name: string;
  /** Its class, id, role and itemprop in lower case: what its author called it. */
  readonly hint: string;
  readonly parent: TextContainer | undefined;
  /** Hidden until a script shows it: `display: none`, `hidden`, a closed dialog. */
  readonly isCollapsed: boolean;
}

/** A run of text between two borders of blocks: a paragraph, a heading, a list item. */
export interface Block {
  readonly box: TextContainer;
  readonly text: string;
  /** 1 to 6 for a heading. */
  readonly level: number | undefined;
  /** Characters that stand in a link. */
  readonly linkChars: number;
  /** The heading before it. */
  readonly heading: string;
  /** Some element around it is collapsed. */
  readonly isCollapsed: boolean;
}

/** The element and all around it, from the inside out. */
export function* around(box: TextContainer): Generator<TextContainer> {
  for (let each: TextContainer | undefined = box; each !== undefined; each = each.parent) yield each;
}
