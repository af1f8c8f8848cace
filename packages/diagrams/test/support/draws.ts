import { render } from "../../src/index.ts";

const { data } = await render("digraph { a -> b }", { format: "graphviz" });
process.stdout.write(data);
