// The few things of Bun that we use, typed here rather than by Bun's own types: those change the types of fetch, streams
// and timers everywhere, and code that fits them need not run on Node.

export interface BunServer {
  readonly hostname: string;
  readonly port: number;
  /**
   * Closes the connection of this request after so many seconds; 0 never. Bytes that arrive do not move the moment, bytes
   * that the client takes do. It stays in force for later requests of the same connection.
   */
  timeout(request: Request, seconds: number): void;
  requestIP(request: Request): { readonly address: string } | null;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

export interface BunRuntime {
  serve(options: {
    hostname: string;
    port: number;
    idleTimeout: number;
    maxRequestBodySize: number;
    development: boolean;
    reusePort: boolean;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
  }): BunServer;
}

export const bunRuntime: BunRuntime | undefined = (globalThis as { Bun?: BunRuntime }).Bun;

/** What we use of the system's C library. */
export interface Libc {
  shutdown(descriptor: number, how: number): number;
}

interface Ffi {
  dlopen(library: string, symbols: Record<string, { args: string[]; returns: string }>): { symbols: Libc };
}

const MUSL_ARCHITECTURES: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/** Linux's C library, by its name with glibc or with musl. Undefined: there is none. */
export async function loadLibc(): Promise<Libc | undefined> {
  if (process.platform !== "linux") return undefined;
  const ffi = (await import("bun:ffi" as string)) as Ffi;
  for (const library of ["libc.so.6", `libc.musl-${MUSL_ARCHITECTURES[process.arch] ?? process.arch}.so.1`]) {
    try {
      return ffi.dlopen(library, { shutdown: { args: ["i32", "i32"], returns: "i32" } }).symbols;
    } catch {
      // The library has another name here.
    }
  }
  return undefined;
}
