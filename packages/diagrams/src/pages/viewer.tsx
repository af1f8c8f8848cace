import { Button } from "millrace/dashboard";
import { type PointerEvent, useEffect, useRef, useState } from "react";

interface Props {
  readonly src: string;
  readonly alt: string;
}

const STEP = 1.25;
const SMALLEST = 0.1;
const LARGEST = 8;

/** A picture that fits its frame, is zoomed by buttons or Ctrl and the wheel, and moved by dragging or the arrow keys. */
export function Viewer({ src, alt }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  /** Undefined: as large as the frame allows. */
  const [zoom, setZoom] = useState<number>();
  const drag = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const fitting = () => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    if (size.width === 0 || size.height === 0) return 1;
    return Math.min(1, clientWidth / size.width, clientHeight / size.height);
  };
  const zoomTo = (next: number) => setZoom(Math.min(LARGEST, Math.max(SMALLEST, next)));
  const zoomBy = (factor: number) => zoomTo((zoom ?? fitting()) * factor);
  useWheel(frame, (event) => zoomBy(event.deltaY < 0 ? STEP : 1 / STEP));
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { current: from } = drag;
    if (!from || !frame.current) return;
    frame.current.scrollLeft -= event.clientX - from.x;
    frame.current.scrollTop -= event.clientY - from.y;
    drag.current = { x: event.clientX, y: event.clientY };
  };
  const scaled = zoom === undefined ? undefined : { width: size.width * zoom, height: size.height * zoom };
  return (
    <div className="viewer">
      <div
        ref={frame}
        className={zoom === undefined ? "viewer-frame fits" : "viewer-frame"}
        tabIndex={0}
        role="group"
        aria-label="Drawing"
        onPointerDown={(event) => {
          if (event.pointerType !== "mouse" || event.button !== 0) return;
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = undefined;
        }}
        onPointerCancel={() => {
          drag.current = undefined;
        }}
      >
        <img
          src={src}
          alt={alt}
          draggable={false}
          style={scaled}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
        />
      </div>
      <div className="viewer-bar" role="toolbar" aria-label="Zoom">
        <Button className="small" aria-label="Zoom out" onClick={() => zoomBy(1 / STEP)}>
          −
        </Button>
        <span className="number dim">{zoom === undefined ? "Fit" : `${Math.round(zoom * 100)} %`}</span>
        <Button className="small" aria-label="Zoom in" onClick={() => zoomBy(STEP)}>
          +
        </Button>
        <Button className="small" onClick={() => setZoom(undefined)}>
          Fit
        </Button>
        <Button className="small" onClick={() => zoomTo(1)}>
          100 %
        </Button>
      </div>
    </div>
  );
}

/** Ctrl and the wheel. React listens passively, and then the page would be zoomed too. */
function useWheel(frame: { readonly current: HTMLDivElement | null }, turn: (event: globalThis.WheelEvent) => void) {
  const latest = useRef(turn);
  latest.current = turn;
  useEffect(() => {
    const element = frame.current;
    const listen = (event: globalThis.WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event);
    };
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, [frame]);
}
