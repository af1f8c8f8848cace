import { useEffect, useRef, useState } from "react";
import type { StreamInfo } from "../../src/client/index.ts";
import { useClient, useLiveQuery } from "../lib/data.ts";
import type { Moves } from "../lib/live.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/page.tsx";

/** What a person can read; the rest is dropped from the beginning. */
const MOST_CHARS = 200_000;
/** Each open stream is a connection, and a browser has six for a server without HTTP/2. */
const FOLLOWED = 2;

/** Each stream of a job, as it is written. */
export function Streams({ jobId, running, concerns }: Props) {
  const streams = useLiveQuery<StreamInfo[]>({
    key: ["job", jobId, "streams"],
    concerns,
    everyMs: running ? 2_000 : 15_000,
    load: (client, signal) => client.streams(jobId, { signal }),
  });
  const [opened, setOpened] = useState<readonly string[]>([]);
  const names = streams.data?.map(({ name }) => name) ?? [];
  const followed = names.filter((name, i) => i < FOLLOWED || opened.includes(name));
  const others = names.filter((name) => !followed.includes(name));
  return (
    <>
      {followed.map((name) => (
        <Stream key={name} jobId={jobId} name={name} />
      ))}
      {others.length > 0 && (
        <p className="more-streams">
          {others.map((name) => (
            <Button key={name} onClick={() => setOpened([...opened, name])}>
              Show stream {name}
            </Button>
          ))}
        </p>
      )}
    </>
  );
}

interface Props {
  readonly jobId: string;
  readonly running: boolean;
  /** Whether moved jobs include this one. */
  readonly concerns: (moves: Moves) => boolean;
}

interface StreamText {
  readonly text: string;
  readonly isCut: boolean;
  readonly restarts: number;
  /** The state of the job; undefined while the stream goes on. */
  readonly end: string | undefined;
}

function Stream({ jobId, name }: { jobId: string; name: string }) {
  const { text, isCut, restarts, end } = useStream(jobId, name);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after new text is drawn
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const again = restarts === 0 ? "" : restarts === 1 ? ", restarted once" : `, restarted ${restarts} times`;
  return (
    <Panel
      title={`Stream ${name}`}
      aside={<span>{`${end === undefined ? "following" : `ended, ${end}`}${again}`}</span>}
    >
      <div
        className="stream"
        ref={box}
        role="log"
        aria-label={`Stream ${name}`}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 30;
        }}
      >
        {isCut && <p className="dim">The beginning is left out.</p>}
        {text}
      </div>
    </Panel>
  );
}

/** Reads the stream from its beginning. What comes within one frame is drawn once. */
function useStream(jobId: string, name: string): StreamText {
  const client = useClient();
  const [shown, setShown] = useState<StreamText>({ text: "", isCut: false, restarts: 0, end: undefined });
  useEffect(() => {
    const stop = new AbortController();
    let chunks: { id: number; text: string }[] = [];
    let chars = 0;
    let isCut = false;
    let restarts = 0;
    let end: string | undefined;
    let frame: number | undefined;
    const draw = () => {
      frame = undefined;
      setShown({ text: chunks.map((chunk) => chunk.text).join(""), isCut, restarts, end });
    };
    const read = async () => {
      for await (const event of client.stream(jobId, name, { signal: stop.signal })) {
        if (event.type === "chunk") {
          const text = typeof event.value === "string" ? event.value : `${JSON.stringify(event.value)}\n`;
          chunks.push({ id: event.id, text });
          chars += text.length;
          while (chars > MOST_CHARS) {
            chars -= chunks.shift()?.text.length ?? chars;
            isCut = true;
          }
        } else if (event.type === "restart") {
          chunks = chunks.filter(({ id }) => id <= event.keep);
          chars = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
          restarts++;
        } else end = event.state;
        frame ??= requestAnimationFrame(draw);
      }
    };
    // A page that is left reads no further. A refusal shows in the rest of the page.
    read().catch(() => {});
    return () => {
      stop.abort();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [client, jobId, name]);
  return shown;
}
