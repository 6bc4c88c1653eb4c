/** What a program can see of the stack's configuration and its provider cannot: whether a value is a secret there. */
import * as pulumi from "../sdk";
import { ofProgram } from "../running";

const tokenKey = "legacydns:loginToken";

const ofThisProgram = ofProgram(() => ({ isTold: false }));

/** Warns, once a run, of a token that stands in plain text in the stack's file and so in its state. */
export function warnOfPlainToken(): void {
  const told = ofThisProgram();
  if (told.isTold) return;
  told.isTold = true;
  if (!isConfigured(tokenKey) || isSecret(tokenKey) !== false) return;
  void pulumi.log
    .warn(
      `${tokenKey} stands in plain text in this stack's configuration file and in its state. Make it a secret: ` +
        `pulumi config set --secret ${tokenKey} TOKEN; best with a new token from the service's console, since the old one has been stored`,
    )
    .catch(() => undefined);
}

function isConfigured(key: string): boolean {
  return (pulumi.runtime.allConfig()[key] ?? "") !== "";
}

/** Undefined where this version of the SDK does not tell. */
function isSecret(key: string): boolean | undefined {
  const runtime: object = pulumi.runtime;
  if (!("isConfigSecret" in runtime) || typeof runtime.isConfigSecret !== "function") return undefined;
  const answer: unknown = runtime.isConfigSecret(key);
  return typeof answer === "boolean" ? answer : undefined;
}
