import { definePages } from "millrace/dashboard";
import { DiagramsPage } from "./editor.tsx";
import { EditorNote, JobDrawing } from "./job.tsx";
import "./diagrams.css";

export default definePages({
  pages: { "/diagrams": DiagramsPage },
  results: { render: JobDrawing },
  notes: { render: EditorNote },
});
