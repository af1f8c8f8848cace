interface Output {
  write(text: string): unknown;
}

export interface TurnWriter extends Output {
  /** Writes what waits, now. */
  flush(): void;
}

/** Past this it is written in the middle of a turn. */
const MOST_CHARS = 65_536;

/**
 * Gathers the lines of one turn of the event loop and writes them together: under load a write for every line costs more
 * than the line. Nothing outlives its turn, and what is left at exit is written then.
 */
export function inTurns(output: Output): TurnWriter {
  let waiting = "";
  let due = false;
  const flush = () => {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    output.write(text);
  };
  process.on("exit", flush);
  return {
    flush,
    write(line: string) {
      waiting += line;
      if (waiting.length > MOST_CHARS) flush();
      if (due) return;
      due = true;
      setImmediate(() => {
        due = false;
        flush();
      });
    },
  };
}
