import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

/** A page that breaks leaves the rest standing. Most often its script is of a build that the server has replaced. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="trouble" role="alert">
        <p>This page could not be shown: {error.message} If the server was updated meanwhile, loading it anew helps.</p>
        <Button onClick={() => window.location.reload()}>Load anew</Button>
      </div>
    );
  }
}
