/** `DomainShare`: the mode and the scope of a share that exists. */
import * as pulumi from "../sdk";
import { canonicalShare } from "../lifecycle/share-inputs";
import { isPlain, readArguments, withoutImport, type InputNames } from "./arguments";
import type { News } from "../lifecycle/news";
import type { Problem } from "../problems";
import { Given, shareErrors } from "./declared";
import { through, typeBy } from "./front-end";
import { originOf } from "./origin";
import { problemsOf } from "./problems";
import { resolveValues } from "./resolved";

/** The inputs of a `DomainShare`. */
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

export const shareInputs: InputNames<DomainShareArgs> = {
  domain: true,
  email: true,
  mode: true,
  subDomain: true,
  from: true,
};

/**
 * A share of a domain. The documented interface changes shares that exist: it neither makes, lists nor ends one.
 *
 * @example
 * new DomainShare("agency", { domain: "example.com", email: "agency@example.org", mode: "rw", subDomain: "shop" });
 */
export class DomainShare extends pulumi.CustomResource {
  /** The shared zone, as A-labels. */
  declare readonly domain: pulumi.Output<string>;
  /** Whom it is shared with. */
  declare readonly email: pulumi.Output<string>;
  /** `r`: read only. `rw`: read and modify. */
  declare readonly mode: pulumi.Output<"r" | "rw">;
  /** The host label that is shared; undefined where the whole domain is. */
  declare readonly subDomain: pulumi.Output<string | undefined>;

  /**
   * Declares with whom a domain is shared, and how.
   *
   * @example
   * new DomainShare("agency", { domain: "example.com", email: "agency@example.org", mode: "rw" });
   *
   * @param name the resource's name in the program.
   * @param args the domain, the e-mail address and the mode.
   * @throws never: problems are shown in the preview, all at once.
   */
  constructor(name: string, args: DomainShareArgs, options?: pulumi.CustomResourceOptions) {
    const origin = originOf(args);
    const resource = origin?.label ?? `DomainShare ${JSON.stringify(name)}`;
    const read = readArguments(args, shareInputs);
    const { opts, errors: unfit } = withoutImport(options, "a share");
    const { domain, email, mode, subDomain, from } = read.args;
    const fields = { domain, email, mode, subDomain, from };
    const known = [...(origin?.errors ?? []), ...read.errors, ...unfit];
    const given = new Given();
    const values = isPlain(fields) ? undefined : resolveValues(fields);
    const tell = async (problems: readonly Problem[]): Promise<News> => ({
      resource,
      problems: await problemsOf(
        { label: resource, type: typeBy("DomainShare"), name, parent: opts?.parent },
        problems,
        values,
      ),
    });
    let news: Promise<News>;
    if (values === undefined) {
      const { inputs, problems: found } = canonicalShare(fields);
      const own = [...known, ...found];
      news = given.provider.then((provider) =>
        tell([...own, ...shareErrors(resource, inputs, provider, false)]),
      );
    } else if (known.length > 0) news = tell(known);
    else {
      // The rules are for `check`, which knows what is known.
      news = values.then(async (known) =>
        tell(shareErrors(resource, canonicalShare({ ...known.values }).inputs, await given.provider, true)),
      );
    }
    const frontEnd = through("DomainShare", name, fields, news, opts);
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    given.constructed(this);
  }
}
