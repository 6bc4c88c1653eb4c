/** `DomainShare`: the mode and the scope of a share that exists. */
import * as pulumi from "@pulumi/pulumi";
import { providerText } from "./declared";

export interface DomainShareArgs {
  /** The shared zone, for example `example.com`. */
  readonly domain: pulumi.Input<string>;
  /** Whom it is shared with, exactly as the service's console shows it; another address is another share. */
  readonly email: pulumi.Input<string>;
  /** `r`: read only. `rw`: read and modify. */
  readonly mode: pulumi.Input<"r" | "rw">;
  /** The host label that is shared; omitted: the whole domain. */
  readonly subDomain?: pulumi.Input<string | undefined>;
  /** What the share covers today, where that differs: a host label, or `@` for the whole domain. Used once, on create. */
  readonly from?: pulumi.Input<string | undefined>;
}

/**
 * A share of a domain. The documented interface changes shares that exist: it neither makes, lists nor ends one.
 *
 * @example
 * new DomainShare("agency", { domain: "example.com", email: "agency@example.org", mode: "rw", subDomain: "shop" });
 */
export class DomainShare extends pulumi.CustomResource {
  declare readonly domain: pulumi.Output<string>;
  declare readonly email: pulumi.Output<string>;
  declare readonly mode: pulumi.Output<"r" | "rw">;
  /** Undefined where the whole domain is shared. */
  declare readonly subDomain: pulumi.Output<string | undefined>;

  constructor(name: string, args: DomainShareArgs, opts?: pulumi.CustomResourceOptions) {
    const { domain, email, mode, subDomain, from } = args;
    const props = { domain, email, mode, subDomain, from, __provider: providerText("DomainShare") };
    super("pulumi-nodejs:dynamic/legacydns:DomainShare", name, props, opts);
  }
}
