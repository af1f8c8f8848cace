// Loaded before all else, in the main thread and in the store's: a machine whose clock is off by CLOCK_OFF_MS.

const offMs = Number(process.env["CLOCK_OFF_MS"] ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + offMs;

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now = now;
}

globalThis.Date = ShiftedDate as DateConstructor;
