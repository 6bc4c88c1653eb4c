/**
 * The front end of this program's resources: a dynamic provider, which needs `npm install` only, or the
 * native plugin. The setting `usePlugin` chooses. Each type has the other's as an alias, so that a change of
 * the setting recreates nothing.
 */
import * as pulumi from "../support/sdk";
import { digest } from "../dns";
import { manifestInput, type Manifest } from "../lifecycle/manifest";
import { warnOfPlainToken } from "./configuration";
import { isUnitTest } from "./problems";
import { providerText } from "./provider-text";

type TypeName = "Record" | "RecordBatch" | "DomainShare";

/** Whether the program uses the plugin: by `LEGACYDNS_USE_PLUGIN`, else by `legacydns:usePlugin`. */
export function isNative(): boolean {
  const variable = process.env["LEGACYDNS_USE_PLUGIN"] ?? "";
  return (variable === "" ? new pulumi.Config("legacydns").get("usePlugin") : variable) === "true";
}

const dynamicType = (name: TypeName): string => `pulumi-nodejs:dynamic/legacydns:${name}`;
const nativeType = (name: TypeName): string => `legacydns:index:${name}`;

/** The type of a resource, by the program's front end. */
export function typeBy(name: TypeName): string {
  return isNative() ? nativeType(name) : dynamicType(name);
}

/**
 * The arguments of the SDK's constructor: the type, the inputs with the hidden ones, and the options with the
 * other front end's alias. A unit test gets no hidden inputs.
 * @param resource the resource's name in the program
 */
export function through(
  name: TypeName,
  resource: string,
  inputs: pulumi.Inputs,
  manifest: Promise<Manifest>,
  opts: pulumi.CustomResourceOptions | undefined,
): { readonly type: string; readonly inputs: pulumi.Inputs; readonly opts: pulumi.CustomResourceOptions } {
  const native = isNative();
  const type = typeBy(name);
  warnOfPlainToken();
  const alias = { aliases: [{ type: native ? dynamicType(name) : nativeType(name) }] };
  return {
    type,
    // In a unit test, the manifest still rejects if there is a problem, so that the test fails.
    inputs: isUnitTest()
      ? inputs
      : {
          ...inputs,
          __ledger: undefined,
          ...(native
            ? { [manifestInput]: manifest }
            : {
                [manifestInput]: withUrn(manifest, pulumi.createUrn(resource, type, opts?.parent)),
                __provider: providerText(name),
              }),
        },
    opts: pulumi.mergeOptions(opts, alias),
  };
}

/** Adds the digest of the URN. The engine does not send the URN to a dynamic provider. */
async function withUrn(manifest: Promise<Manifest>, urn: pulumi.Output<string>): Promise<Manifest> {
  const key = new Promise<string>((resolve) => void urn.apply((known) => resolve(digest(known))));
  return { ...(await manifest), urn: await key };
}

/** The type for looking up the provider of a resource, or of a component's children. */
export function providerType(): string {
  return isNative() ? nativeType("Record") : "pulumi-nodejs:dynamic:Resource";
}
