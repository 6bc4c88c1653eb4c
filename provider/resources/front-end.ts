/**
 * The front end of this program's resources. Each type has the other's as an alias, so that a change of
 * `usePlugin` recreates nothing.
 */
import * as pulumi from "../support/sdk";
import { digest } from "../dns";
import { manifestInput, type Manifest } from "../lifecycle/manifest";
import { environmentName } from "../support/settings-reading";
import { messageOf, reason } from "../problems";
import { isUnitTest, ofProgram } from "../support/running";

export type TypeName = "Record" | "RecordBatch" | "DomainShare";

export function isNative(): boolean {
  return stackSetting("usePlugin") === "true";
}

/** A blank variable counts as missing. */
export function stackSetting(name: string): string | undefined {
  const set = (process.env[environmentName(name)] ?? "").trim();
  return set === "" ? new pulumi.Config("legacydns").get(name) : set;
}

export function through(
  name: TypeName,
  resource: string,
  inputs: pulumi.Inputs,
  manifest: Promise<Manifest>,
  opts: pulumi.CustomResourceOptions | undefined,
): { readonly type: string; readonly inputs: pulumi.Inputs; readonly opts: pulumi.CustomResourceOptions } {
  const native = isNative();
  const types = [`pulumi-nodejs:dynamic/legacydns:${name}`, `legacydns:index:${name}`] as const;
  const [type, other] = native ? [types[1], types[0]] : types;
  warnOfPlainToken();
  const all = pulumi.mergeOptions(opts, { aliases: [{ type: other }] });
  // In a unit test, the manifest still rejects if there is a problem, so that the test fails.
  if (isUnitTest()) return { type, inputs, opts: all };
  const hidden = native
    ? { [manifestInput]: manifest }
    : {
        [manifestInput]: withUrn(manifest, pulumi.createUrn(resource, type, opts?.parent)),
        __provider: providerText(name),
      };
  return { type, inputs: { ...inputs, __ledger: undefined, ...hidden }, opts: all };
}

/** The engine does not send the URN to a dynamic provider. */
async function withUrn(manifest: Promise<Manifest>, urn: pulumi.Output<string>): Promise<Manifest> {
  const key = new Promise<string>((resolve) => void urn.apply((known) => resolve(digest(known))));
  return { ...(await manifest), urn: await key };
}

export function providerType(): string {
  return isNative() ? "legacydns:index:Record" : "pulumi-nodejs:dynamic:Resource";
}

const tokenKey = "legacydns:loginToken";

const tokenRisk = reason("setting.risk", {
  detail: "legacydns:loginToken is plain text in the stack's configuration and state",
  hint: "create a new token in the service's console\nstore it: pulumi config set --secret legacydns:loginToken ID,TOKEN",
});

const warned = ofProgram(() => ({ already: false }));

function warnOfPlainToken(): void {
  const isSet = (pulumi.runtime.allConfig()[tokenKey] ?? "") !== "";
  if (isUnitTest() || warned().already || !isSet || isSecret(tokenKey) !== false) return;
  warned().already = true;
  void pulumi.log.warn(messageOf(tokenRisk));
}

function isSecret(key: string): unknown {
  const runtime: object = pulumi.runtime;
  return "isConfigSecret" in runtime && typeof runtime.isConfigSecret === "function"
    ? runtime.isConfigSecret(key)
    : undefined;
}

export function providerText(type: string): string {
  const load = `require("module").createRequire(process.cwd()+"/")("pulumi-legacydns/runtime").dynamic(${JSON.stringify(type)},1)`;
  return `exports.handler=()=>{try{return ${load}}catch(e){e.stack="";e.message+="\\nRun npm install";throw e}}`;
}
