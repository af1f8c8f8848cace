import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

interface Props {
  readonly children: ReactNode;
  /** What is at fault, where it is not the dashboard: "page module page.js of the workload …". */
  readonly from?: string;
  /** Shown beneath the error. */
  readonly otherwise?: ReactNode;
}

/** A page that breaks leaves the rest standing. Most often its script is of a build that the server has replaced. */
export class Boundary extends Component<Props, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { children, from, otherwise } = this.props;
    if (!error) return children;
    return (
      <>
        <div className="trouble" role="alert">
          <p>
            {from === undefined ? "This page could not be shown" : `The ${from} failed`}: {error.message}
            {from === undefined && " If the server was updated meanwhile, reload the page."}
          </p>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
        {otherwise}
      </>
    );
  }
}
