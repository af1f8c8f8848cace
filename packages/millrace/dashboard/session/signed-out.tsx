import { useEffect } from "react";
import { Button } from "../ui/button.tsx";
import { Wheel } from "../ui/icon.tsx";

/** For a dashboard inside another application: only that application can sign its users in. */
export function SignedOut() {
  useEffect(() => {
    document.title = "Signed out · Millrace";
  }, []);
  return (
    <main className="sign-in">
      <div className="panel">
        <h1 className="brand">
          <Wheel /> Millrace
        </h1>
        <p>You are signed out. Sign in to the application, then reload this page.</p>
        <Button look="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </main>
  );
}
