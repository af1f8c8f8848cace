// What content streams refer to by name: states, patterns, forms, images. One dictionary serves the page and every form.

import type { PdfFile } from "./file.ts";
import { num } from "./matrix.ts";

type Group = "ExtGState" | "Pattern" | "XObject" | "Font";

export class PdfResources {
  /** The dictionary's own object. */
  readonly id: number;
  readonly #file: PdfFile;
  readonly #names = new Map<Group, Map<string, string>>();

  constructor(file: PdfFile) {
    this.#file = file;
    this.id = file.reserve();
  }

  /** The name of the object in a content stream: `/P3`. */
  nameOf(group: Group, id: number): string {
    return this.#named(group, `${id} 0 R`);
  }

  /** A state of opacity, the same name for the same two numbers. */
  opacity(fill: number, stroke: number): string {
    return this.#named("ExtGState", `<< /ca ${num(fill)} /CA ${num(stroke)} >>`);
  }

  softMask(form: number): string {
    return this.#named("ExtGState", `<< /SMask << /S /Luminosity /G ${form} 0 R >> >>`);
  }

  write(): void {
    const groups = [...this.#names].map(([group, entries]) => {
      const list = [...entries].map(([value, name]) => `/${name} ${value}`).join(" ");
      return `/${group} << ${list} >>`;
    });
    this.#file.add(`<< ${groups.join(" ")} >>`, this.id);
  }

  #named(group: Group, value: string): string {
    const entries = this.#names.get(group) ?? new Map<string, string>();
    this.#names.set(group, entries);
    const name = entries.get(value) ?? `${group[0]}${entries.size}`;
    entries.set(value, name);
    return `/${name}`;
  }
}
