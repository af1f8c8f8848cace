// Options as a request carries them: under their own names there, dates as ISO 8601 strings.

import type { Option, OptionTable, OutsideCode } from "./option.ts";

/** The name of an option in a request body; `never` for one that only code can set. */
export type WireName<Table extends OptionTable, Name extends keyof Table> =
  Table[Name] extends Option<unknown, infer Outside extends OutsideCode>
    ? Outside extends { readonly wire: infer Wire extends string }
      ? Wire
      : Name
    : never;

/** What a request body carries of the options. */
export type WireValues<Table extends OptionTable> = {
  [Name in keyof Table as WireName<Table, Name>]?: Table[Name] extends Option<infer Value>
    ? Value extends Date
      ? string
      : Value
    : never;
};
