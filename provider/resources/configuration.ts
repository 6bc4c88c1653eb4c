/** What a program can see of the stack's configuration and its provider cannot: whether a value is a secret there. */
import * as pulumi from "../sdk";

const tokenKey = "legacydns:loginToken";

/** Whether the stack's file holds the login token in plain text. */
export function isTokenPlain(): boolean {
  return (pulumi.runtime.allConfig()[tokenKey] ?? "") !== "" && isSecret(tokenKey) === false;
}

/** Undefined where this version of the SDK does not tell. */
function isSecret(key: string): boolean | undefined {
  const runtime: object = pulumi.runtime;
  if (!("isConfigSecret" in runtime) || typeof runtime.isConfigSecret !== "function") return undefined;
  const answer: unknown = runtime.isConfigSecret(key);
  return typeof answer === "boolean" ? answer : undefined;
}
