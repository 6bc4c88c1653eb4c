/** Help where a domain's listing is refused. It is asked for only then, and throws no error of its own. */
import { ServiceError, type Client } from "../../api";

/** The refusal; where the account holds a domain above it, with the right spelling. */
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
