import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
// The design first: what a page adds comes after it.
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/table.css";
import "./styles/shell.css";
import { App } from "./app.tsx";
import { queryClient } from "./lib/query-client.ts";
import { listenToHistory } from "./lib/router.ts";
import { apply } from "./lib/theme.ts";

apply();
listenToHistory();
const root = document.getElementById("root");
if (!root) throw new Error("The document has no root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
