// What Vega asks for files and addresses. Nothing is loaded: data belongs into the source.

const LINK = /^(?:https?:|mailto:|#)/i;
const MOST_CHARS = 100;

export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

/** `refused`: where the data is that would have to be loaded. */
export function closedLoader(refused: RefusedAddress[]) {
  const refuse = async (address: unknown): Promise<never> => {
    const error = new RefusedAddress(
      `The data at "${shown(address)}" is not loaded. Put it into the source as "values".`,
    );
    refused.push(error);
    throw error;
  };
  return {
    load: refuse,
    file: refuse,
    http: refuse,
    fetch: refuse,
    /** Vega cannot bear a refusal here: a link that goes elsewhere leads nowhere. */
    async sanitize(address: unknown, { context }: { context?: string } = {}): Promise<{ href: string }> {
      const href = String(address);
      // What is behind the address of a picture is looked at once for all languages, after the drawing.
      return { href: context === "image" || LINK.test(href) ? href : "#" };
    },
  };
}

function shown(address: unknown): string {
  const text = String(address);
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS).toWellFormed()}…` : text;
}
