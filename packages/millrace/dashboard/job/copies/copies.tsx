import type { Job } from "../../../src/client/index.ts";
import { CopyButton } from "../../ui/json.tsx";
import { Panel } from "../../ui/page.tsx";
import { asCommand, asCurl, asTest } from "./copied.ts";

/** The job as a request, a command and a test, to submit the same work again elsewhere. */
export function Copies({ job }: { job: Job }) {
  return (
    <Panel title="Submit it elsewhere">
      <div className="copies">
        <CopyButton text={asCurl(job, location.origin)} what="cURL request">
          Copy cURL request
        </CopyButton>
        <CopyButton text={asCommand(job)} what="Command">
          Copy command
        </CopyButton>
        <CopyButton text={asTest(job)} what="Test">
          Copy test
        </CopyButton>
      </div>
    </Panel>
  );
}
