/**
 * What helps where a domain's listing is refused: asked of the service only then, and never an error of its own, since the
 * refusal is what the user must hear of.
 */
import { ServiceError, type Client } from "../../api";

/** The refusal of a domain's listing; where the account holds a domain above it, with the spelling that is meant. */
export async function withParent(client: Client, domain: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) return error;
  for (let dot = domain.indexOf("."); domain.includes(".", dot + 1); dot = domain.indexOf(".", dot + 1)) {
    const parent = domain.slice(dot + 1);
    const name = domain.slice(0, dot);
    const held = await client.call("Domain.Info", { domain: parent }).then(
      () => true,
      () => false,
    );
    if (!held) continue;
    const { operation, target, code, said, meaning, outcome, cause, about } = error;
    const hint = `This account holds ${parent}: declare the domain "${parent}", and "${name}" as the name of the record ("www.${name}" for "www").`;
    return new ServiceError({ operation, target, code, said, meaning, hint, outcome, cause, about });
  }
  return error;
}
