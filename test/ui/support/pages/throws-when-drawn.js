import { definePages } from "millrace/dashboard";

function BrokenPage() {
  throw new Error("This page is broken.");
}

export default definePages({ pages: { "/drawing": BrokenPage } });
