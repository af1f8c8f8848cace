import { type ReactNode, useEffect } from "react";
import { sentenceOf } from "../lib/data.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName, type IconPath } from "./icon.tsx";

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, a sentence about it, and its actions. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Millrace`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about && <p className="dim">{about}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title?: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A part of a page, with a title if wanted. */
export function Panel({ title, aside, children, className = "" }: PanelProps) {
  return (
    <section className={`panel ${className}`} aria-label={title}>
      {title && (
        <header className="panel-head">
          <h2>{title}</h2>
          {aside && <div className="panel-aside">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly icon?: IconName | IconPath;
  readonly children?: ReactNode;
}

/** Nothing here yet: what would be here, and how it comes about. */
export function Empty({ title, icon = "info", children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <p className="empty-title">{title}</p>
      {children && <div className="dim">{children}</div>}
    </div>
  );
}

/** An error as a sentence, with a button to try again if wanted. */
export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <p>{sentenceOf(error)}</p>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Shown while data is loaded for the first time. */
export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">Loading</span>
    </div>
  );
}

interface LoadedProps<T> {
  readonly query: { data: T | undefined; error: unknown; refetch: () => unknown };
  readonly children: (data: T) => ReactNode;
}

/** Loaded data stays on the page while it is loaded again, also if that fails. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Trouble error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
