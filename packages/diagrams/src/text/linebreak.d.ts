declare module "linebreak" {
  /** Unicode's line breaking algorithm. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
