/**
 * The stack's configuration in the program's process. Only there can secrets and plain values be
 * distinguished.
 */
import * as pulumi from "../support/sdk";
import { ofProgram } from "../support/running";
import { isUnitTest } from "./problems";

const tokenKey = "legacydns:loginToken";

const text =
  "legacydns:loginToken is plain text in this stack's configuration file, and the dynamic provider keeps it in the state as well. " +
  "Create a new token in the service's console, since the old one has been stored, and make it a secret: " +
  "pulumi config set --secret legacydns:loginToken TOKEN";

const warned = ofProgram(() => ({ already: false }));

/** Warns once if the stack's file contains the login token in plain text. */
export function warnOfPlainToken(): void {
  if (isUnitTest() || warned().already || !isTokenPlain()) return;
  warned().already = true;
  void pulumi.log.warn(text);
}

function isTokenPlain(): boolean {
  return (pulumi.runtime.allConfig()[tokenKey] ?? "") !== "" && isSecret(tokenKey) === false;
}

/** Undefined if this version of the SDK does not have the function. */
function isSecret(key: string): boolean | undefined {
  const runtime: object = pulumi.runtime;
  if (!("isConfigSecret" in runtime) || typeof runtime.isConfigSecret !== "function") return undefined;
  const answer: unknown = runtime.isConfigSecret(key);
  return typeof answer === "boolean" ? answer : undefined;
}
