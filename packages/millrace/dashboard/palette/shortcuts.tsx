import { useMay } from "../lib/data.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NAMED_PAGES } from "./pages.ts";
import "./palette.css";

const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Every shortcut with what it does. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const may = useMay();
  const pages = NAMED_PAGES.filter(({ key, scope }) => key !== undefined && (scope === undefined || may(scope)));
  const all: (readonly [keys: readonly string[], does: string])[] = [
    [[IS_MAC ? "⌘" : "Ctrl", "K"], "Go to a page, job, kind, tenant or action"],
    [["/"], "Search on this page"],
    [["?"], "Show these shortcuts"],
    [["Esc"], "Close a dialog"],
    [["↑", "↓"], "Move in the list of jobs"],
    [["Space"], "Select a job of the list"],
    [["Enter"], "Open a job of the list"],
    ...pages.map(({ key = "", title }) => [["g", key], title] as const),
  ];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} actions={undefined}>
      <dl className="shortcuts">
        {all.map(([keys, does]) => (
          <div key={does} className="fact">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
