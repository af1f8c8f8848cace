import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { MillraceError } from "../src/client/index.ts";
import { clientFor, type Session, SurroundingsContext } from "./lib/data.ts";
import { live } from "./lib/live.ts";
import { HAS_KEYS } from "./lib/mount.ts";
import { useZone } from "./lib/zone.ts";
import { pageAt } from "./pages.tsx";
import { SignIn } from "./session/sign-in.tsx";
import { SignedOut } from "./session/signed-out.tsx";
import { Shell } from "./shell.tsx";
import { Messages } from "./ui/messages.tsx";
import { Loading, Trouble } from "./ui/page.tsx";

const SESSION = ["session"];

/** Who looks decides what is shown: first the session, then the pages. */
export function App() {
  const queries = useQueryClient();
  const session = useQuery({ queryKey: SESSION, queryFn: () => clientFor().session.get(), staleTime: 60_000 });
  const signedOut = session.error instanceof MillraceError && session.error.status === 401;
  useSignedOutElsewhere(() => void queries.resetQueries({ queryKey: SESSION }));
  if (signedOut && !HAS_KEYS) return <SignedOut />;
  if (signedOut) return <SignIn onDone={() => void queries.resetQueries()} />;
  if (session.data) return <Inside session={session.data} onSignedOut={() => void queries.resetQueries()} />;
  if (session.error) return <Trouble error={session.error} retry={() => void session.refetch()} />;
  return <Loading />;
}

interface Props {
  readonly session: Session;
  readonly onSignedOut: () => void;
}

function Inside({ session, onSignedOut }: Props) {
  const zone = useZone();
  const client = useMemo(() => clientFor(session.allTenants ? "*" : undefined), [session.allTenants]);
  const surroundings = useMemo(() => ({ session, client }), [session, client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one feed for one client
  useEffect(() => {
    live.start(client, session.allTenants ? "*" : session.tenant, (error) => {
      if (error instanceof MillraceError && error.status === 401) onSignedOut();
    });
    return () => live.stop();
  }, [client]);
  return (
    <SurroundingsContext value={surroundings}>
      <Shell key={zone} onSignedOut={onSignedOut}>
        {pageAt}
      </Shell>
      <Messages />
    </SurroundingsContext>
  );
}

/** A session ends by time, by a restart, or because its key was revoked: then any answer says so. */
function useSignedOutElsewhere(signedOut: () => void): void {
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: listens for as long as the page lives
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        const { error } = query.state;
        if (type !== "updated" || !(error instanceof MillraceError) || error.status !== 401) return;
        if (query.queryKey[0] !== SESSION[0] && queries.getQueryState(SESSION)?.status === "success") signedOut();
      }),
    [queries],
  );
}
