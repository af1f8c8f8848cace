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
