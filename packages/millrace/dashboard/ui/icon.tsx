// Our own few icons, drawn on a grid of 16 with a stroke of 1.5: one hand, no package.

const PATHS = {
  overview: "M2 13.5h12M3.5 11V8M6.5 11V4.5M9.5 11V6.5M12.5 11V3",
  submit: "M8 3v10M3 8h10",
  jobs: "M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5",
  batches: "M5.5 2.5h8v8M2.5 5.5h8v8h-8z",
  "dead-letters": "M2.5 4.5h11v8h-11zM2.5 5l5.5 4 5.5-4",
  pools: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  deployments: "M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3",
  tenants:
    "M5.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 1.5-4 4-4s4 1.5 4 4M11 7.5a2 2 0 1 0 0-4M11.5 9.8c2 .3 3 1.6 3 3.7",
  processes: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.2M5 11h.2",
  stages: "M2.5 12.5V9M6 12.5v-6M9.5 12.5V4.5M13 12.5V7M2 14h12",
  operations: "M2.5 4.5h6M2.5 8h4M2.5 11.5h3M9 10.5l2 2 3.5-4",
  limits: "M2.5 12.5a6 6 0 1 1 11 0M8 10l3-3.8M8 9.2v1.2",
  page: "M2.5 3h11v10h-11zM2.5 6h11M4.5 4.5h.2",
  schedules: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.3 1.6",
  settings: "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4 13.5 13.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8 5.6 5.6 0 1 0 13.2 9.6z",
  system: "M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3",
  warning: "M8 2.5 14.2 13H1.8zM8 6.5v3M8 11.3v.2",
  check: "M3 8.5l3.2 3L13 4.5",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.6M8 5v.2",
  arrow: "M3 8h9.5M9 4.5 12.5 8 9 11.5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2v9.6L12.5 8z",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  "sign-out": "M6.5 2.5h-4v11h4M6 8h7.5M10.5 5l3 3-3 3",
  filter: "M2 3.5h12M4.5 8h7M6.5 12.5h3",
} as const;

/** The name of an icon of the dashboard. */
export type IconName = keyof typeof PATHS;
/** The path data of an icon that is drawn elsewhere, on the same grid. */
export type IconPath = `M${string}`;

/** An icon as a workload names it: one of ours, or path data. */
export function iconNamed(text: string | undefined): IconName | IconPath {
  if (text === undefined) return "page";
  if (Object.hasOwn(PATHS, text)) return text as IconName;
  return text.startsWith("M") ? (text as IconPath) : "page";
}

/** An icon, by name or by path data on a grid of 16 by 16. */
export function Icon({ name }: { name: IconName | IconPath }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={Object.hasOwn(PATHS, name) ? PATHS[name as IconName] : name} />
    </svg>
  );
}

export function Wheel() {
  return (
    <svg className="wheel" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle cx="16" cy="13" r="6" />
      <circle cx="16" cy="13" r="0.6" />
      <path d="M16 7V3.4M20.2 8.8l2.6-2.6M11.8 8.8 9.2 6.2M10 13H6.4M22 13h3.6M11.8 17.2l-2 2M20.2 17.2l2 2" />
      <path d="M3.5 25.5c2.5 0 2.5-2 5-2s2.5 2 5 2 2.5-2 5-2 2.5 2 5 2 2.5-2 5-2" />
    </svg>
  );
}
