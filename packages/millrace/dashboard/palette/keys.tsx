import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useMay } from "../lib/data.ts";
import { navigate } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { NAMED_PAGES } from "./pages.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const Shortcuts = lazy(async () => ({ default: (await import("./shortcuts.tsx")).Shortcuts }));

/** `g` and then a letter within this time. */
const SECOND_KEY_MS = 1_500;

/** Listens to the shortcuts, and shows the palette and the list of shortcuts. */
export function ShortcutKeys() {
  const may = useMay();
  const [shown, setShown] = useState<"palette" | "shortcuts">();
  const goneAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        setShown("palette");
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      // A dialog has its own keys.
      if (document.querySelector("dialog[open]")) return;
      const isSecond = performance.now() - goneAt.current < SECOND_KEY_MS;
      goneAt.current = Number.NEGATIVE_INFINITY;
      if (isSecond) {
        const page = NAMED_PAGES.find(({ key, scope }) => key === event.key && (scope === undefined || may(scope)));
        if (page) navigate(page.path);
      } else if (event.key === "g") goneAt.current = performance.now();
      else if (event.key === "?") setShown("shortcuts");
      else if (event.key === "/" && focusSearch()) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [may]);
  const close = () => setShown(undefined);
  return (
    <>
      <Button className="go-to" icon="search" onClick={() => setShown("palette")}>
        Go to…
      </Button>
      <Suspense fallback={null}>
        {shown === "palette" && <Palette onClose={close} />}
        {shown === "shortcuts" && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  field?.select();
  return field !== null;
}
