/** Help where a domain's listing is refused. It is asked for only then, and throws no error of its own. */
import { listDomains, ServiceError, type Client } from "../../api";
import { nearest } from "../../dns";

/** The refusal; where the account holds a domain above it, or one of nearly the same name, with what is meant. */
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
    return withHint(error, `This account holds ${parent}: declare the domain "${parent}", and "${name}" as the name of the record ("www.${name}" for "www").`);
  }
  const names = await listDomains(client).then(
    ({ domains }) => domains.map((each) => each.punycode ?? each.name),
    () => [],
  );
  const guess = nearest(domain, names.filter((name) => name !== domain));
  return guess === undefined ? error : withHint(error, `This account holds no ${domain}; did you mean ${guess}?`);
}

function withHint({ operation, target, code, said, meaning, outcome, cause, about }: ServiceError, hint: string): ServiceError {
  return new ServiceError({ operation, target, code, said, meaning, hint, outcome, cause, about });
}
