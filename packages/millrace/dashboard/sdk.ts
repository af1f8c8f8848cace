// What `millrace/dashboard` gives: all that a page of a workload needs of the dashboard it is shown in.

export { Result as JobResult } from "./job/result.tsx";
export {
  type Act,
  type ActOptions,
  clientFor,
  type LiveQueryOptions,
  type LiveResult,
  type Session,
  type SessionScope,
  sentenceOf,
  useAct,
  useClient,
  useLiveQuery,
  useMay,
  useSession,
} from "./lib/data.ts";
export { bytes, clock, compact, count, duration, exact, plural, preview, relative } from "./lib/format.ts";
export { type LiveState, type MovedJob, type Moves, useLiveEvent, useLiveState, useMoves } from "./lib/live.ts";
export { say } from "./lib/messages.ts";
export { addressOf } from "./lib/mount.ts";
export { hrefOf, navigate, type PageAddress, usePageAddress, useQueryState } from "./lib/router.ts";
export { type Theme, useTheme } from "./lib/theme.ts";
export { useNow } from "./lib/use-now.ts";
export { Button } from "./ui/button.tsx";
export { Dialog } from "./ui/dialog.tsx";
export { Check, Input, Segments, Select, TextArea } from "./ui/field.tsx";
export { Icon, type IconName, type IconPath } from "./ui/icon.tsx";
export { CopyButton, Json } from "./ui/json.tsx";
export { Link } from "./ui/link.tsx";
export { LongText } from "./ui/long-text.tsx";
export { Empty, Loaded, Loading, Page, Panel, Trouble } from "./ui/page.tsx";
export { SomeFirst } from "./ui/some-first.tsx";
export { Badge, Progress, Status, type Tone } from "./ui/status.tsx";
export { type Column, Table } from "./ui/table.tsx";
export { Ago, Lasting, Left, Moment } from "./ui/time.tsx";
export { definePages, type Pages } from "./workloads/define.ts";
