import * as pulumi from "../support/sdk";
import { canonicalShare } from "../lifecycle/share-inputs";
import { isPlain, readResource, resolveValues, type InputNames } from "./arguments";
import type { Manifest } from "../lifecycle/manifest";
import type { Problem } from "../problems";
import { through } from "./front-end";
import { manifestOf, note, providerOf, scopeOf, type Constructed } from "./program";

/** The inputs of a `DomainShare`. */
export interface DomainShareArgs {
  /** The shared zone, for example `example.com`. */
  readonly domain: pulumi.Input<string>;
  /** The person's e-mail, exactly as in the service's console. Another address is another share. */
  readonly email: pulumi.Input<string>;
  /** `r`: read only. `rw`: read and modify. */
  readonly mode: pulumi.Input<"r" | "rw">;
  /** The shared host label (default: the whole domain). */
  readonly subDomain?: pulumi.Input<string | undefined>;
  /**
   * The current scope of the share, if it differs: a host label, or `@` for the whole domain. Used once, on
   * create.
   */
  readonly from?: pulumi.Input<string | undefined>;
}

export const shareInputs: InputNames<DomainShareArgs> = {
  domain: true,
  email: true,
  mode: true,
  subDomain: true,
  from: true,
};

/**
 * A share of a domain: another person's access to it. The documented API only changes existing shares: their mode, and
 * their scope, which is the whole domain or one host label. It cannot create, list or end them; full mode can. A preview
 * refuses a share of an unshared or foreign domain, and a second resource for the same domain and e-mail. In documented
 * mode, a destroy keeps the share with a warning. After a rename, or a move to another provider with the same `stateDir`,
 * the share belongs to the new resource.
 */
export class DomainShare extends pulumi.CustomResource {
  /** The shared zone, as A-labels. */
  declare readonly domain: pulumi.Output<string>;
  /** The person's e-mail. */
  declare readonly email: pulumi.Output<string>;
  /** `r`: read only. `rw`: read and modify. */
  declare readonly mode: pulumi.Output<"r" | "rw">;
  /** The shared host label; undefined for the whole domain. */
  declare readonly subDomain: pulumi.Output<string | undefined>;

  /** @throws never: problems are shown in the preview, all at once */
  constructor(name: string, args: DomainShareArgs, options?: pulumi.CustomResourceOptions) {
    const read = readResource("DomainShare", name, args, shareInputs, options);
    const { domain, email, mode, subDomain, from } = read.args;
    const fields = { domain, email, mode, subDomain, from };
    const own: Constructed = {};
    const manifest = prepare(read.resource, fields, read.errors, own);
    const { type, inputs, opts } = through("DomainShare", name, fields, manifest, read.opts);
    super(type, name, inputs, opts);
    own.resource = this;
  }
}

async function prepare(
  resource: string,
  fields: object,
  errors: readonly Problem[],
  own: Constructed,
): Promise<Manifest> {
  note(resource, errors);
  const provider = await providerOf(own);
  const isKnown = isPlain(fields);
  const values = isKnown ? fields : (await resolveValues(fields)).values;
  const { inputs, problems } = canonicalShare({ ...values });
  const twice = scopeOf(provider).shareErrors(resource, inputs, !isKnown);
  note(resource, [...(isKnown ? problems : []), ...twice]);
  return manifestOf(resource, provider, [], "");
}
