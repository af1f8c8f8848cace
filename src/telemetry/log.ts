/** Facts as data with constant events; `infoEnabled` lets hot paths skip making what nobody reads. */
export interface Log {
  readonly infoEnabled: boolean;
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
  child(fields: Record<string, unknown>): Log;
}

export const silentLog: Log = {
  infoEnabled: false,
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
