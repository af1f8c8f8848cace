// DBML's own reader says what is in the database, and our Graphviz lays it out: one table of HTML for each table.

import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { GraphvizEngine } from "../graphviz/engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { graphOf } from "./graph.ts";

type Parser = typeof import("@dbml/parse");
type Database = import("@dbml/parse").Database;

const FILE = "/diagram.dbml";

export class DbmlEngine implements DiagramEngine<CommonOptions> {
  readonly #parser = new LoadedOnce<Parser>(() => import("@dbml/parse"));
  readonly #graphviz = new GraphvizEngine();

  async warmUp(): Promise<void> {
    await this.render("Table a { b int }", {});
  }

  async render(source: string, { background }: CommonOptions): Promise<Drawing | { fault: Fault }> {
    const read = readDatabase(await this.#parser.get(), source);
    if ("fault" in read) return read;
    const { database } = read;
    if (database.tables.length + database.enums.length === 0)
      return { fault: { message: "There is no table to draw. Write one: Table users { id int [pk] }." } };
    const drawing = await this.#graphviz.render(graphOf(database), background === undefined ? {} : { background });
    // A line in the graph is none of the diagram's.
    return "fault" in drawing ? { fault: { message: drawing.fault.message } } : drawing;
  }
}

/** The only file there is: a source that asks for another gets a fault. */
function readDatabase(
  { Compiler, Filepath, MemoryProjectLayout }: Parser,
  source: string,
): { database: Database } | { fault: Fault } {
  const file = Filepath.from(FILE);
  try {
    const compiler = new Compiler(new MemoryProjectLayout({ [FILE]: source }));
    const [error] = compiler.parse.errors(file);
    if (error !== undefined) return { fault: { message: sentence(error.diagnostic), ...placeOf(source, error.start) } };
    const database = compiler.parse.rawDb(file);
    return database === undefined ? { fault: { message: "This is not DBML." } } : { database };
  } catch (error) {
    if (error instanceof RangeError) return { fault: { message: "This diagram is nested too deeply." } };
    throw error;
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
