/** Warns of a login token in plain text. Only the program can distinguish it from a secret. */
import * as pulumi from "../support/sdk";
import { ofProgram } from "../support/running";
import { isUnitTest } from "./problems";

const tokenKey = "legacydns:loginToken";

const text =
  "legacydns:loginToken is plain text in this stack's configuration file, and the dynamic provider keeps it in the state as well. " +
  "Create a new token in the service's console, since the old one has been stored, and make it a secret: " +
  "pulumi config set --secret legacydns:loginToken TOKEN";

const warned = ofProgram(() => ({ already: false }));

export function warnOfPlainToken(): void {
  const isSet = (pulumi.runtime.allConfig()[tokenKey] ?? "") !== "";
  if (isUnitTest() || warned().already || !isSet || isSecret(tokenKey) !== false) return;
  warned().already = true;
  void pulumi.log.warn(text);
}

/** Undefined if this version of the SDK does not have the function. */
function isSecret(key: string): unknown {
  const runtime: object = pulumi.runtime;
  return "isConfigSecret" in runtime && typeof runtime.isConfigSecret === "function"
    ? runtime.isConfigSecret(key)
    : undefined;
}
