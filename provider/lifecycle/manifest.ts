/** The one hidden input that a TypeScript program sends with each resource. `check` removes it. */
import { digest, recordKey, roleOf, roles, type DeclaredRecord, type Role } from "../dns";
import type { Props } from "./lifecycle";

export interface Manifest {
  readonly resource?: string | undefined;
  readonly urn?: string | undefined;
  /** A failure of the update is then not announced beforehand. */
  readonly updates?: true | undefined;
  readonly problems?: ManifestProblems | undefined;
  /** As {@link declaredText}: the records that the program constructed. A transform may drop some of them. */
  readonly constructed?: string | undefined;
  /** The digest of the resource's canonical text. `check` reads any other text as a program's lines. */
  readonly text?: string | undefined;
  /** By domain, as {@link declaredText}. */
  readonly declared?: Readonly<Record<string, string>> | undefined;
  /** Other resources whose records in the resource's domains are still unknown. */
  readonly unknown?: readonly string[] | undefined;
}

export interface ManifestProblems {
  /** Of all resources of the program, each with the name of its resource. */
  readonly errors?: readonly string[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly notes?: readonly string[] | undefined;
}

export interface DeclaredElsewhere {
  readonly digest: string;
  readonly secret: boolean;
  readonly role: Role;
}

export const manifestInput = "__program";

export const explicitKey = "legacydns:explicit";

export function readManifest(given: Props): { readonly manifest: Manifest; readonly inputs: Props } {
  const { [manifestInput]: manifest, ...inputs } = given;
  return { manifest: isManifest(manifest) ? manifest : {}, inputs };
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === "object" && value !== null;
}

const marks: Readonly<Record<Role, string>> = {
  ...{ "apex NS": "^", "apex MX": "@", MX: ".", "apex address": "=", other: "" },
};

/** `*` is a secret. A last character is the role. */
export function declaredText(records: readonly DeclaredRecord[]): string {
  return records
    .map(
      (record) => `${digest(recordKey(record))}${record.secret === true ? "*" : ""}${marks[roleOf(record)]}`,
    )
    .join(" ");
}

export function readDeclared(text: string): DeclaredElsewhere[] {
  return text.split(" ").flatMap((word) => {
    const [, key = "", secret = "", mark] = /^([\w-]+)(\*?)([@.=^]?)$/.exec(word) ?? [];
    const role = roles.find((each) => marks[each] === mark);
    return role === undefined ? [] : [{ digest: key, secret: secret !== "", role }];
  });
}
