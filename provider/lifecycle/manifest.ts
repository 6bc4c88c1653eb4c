/**
 * The manifest: the one hidden input that a program sends with each resource. `check` removes it before
 * anything is stored. A program in another language than TypeScript sends none.
 */
import { digest, mailOf, recordKey, type DeclaredRecord, type Mail } from "../dns";
import type { SourceNotes } from "./inputs";

export interface Manifest {
  /** The resource's name in messages: `Record "www"`. */
  readonly resource?: string | undefined;
  /** A digest of the resource's URN. */
  readonly urn?: string | undefined;
  /** True in an update. A failure of the update is then not announced beforehand. */
  readonly updates?: true | undefined;
  readonly problems?: ManifestProblems | undefined;
  /**
   * Domain → the records that the program's other resources declare there ({@link declaredText}). Every
   * domain of the program.
   */
  readonly declared?: Readonly<Record<string, string>> | undefined;
  /** Other resources whose records in the resource's domains are still unknown. */
  readonly unknown?: readonly string[] | undefined;
}

/** The program's findings about its declarations. */
export interface ManifestProblems {
  /** All errors of the program. The provider then refuses the resource. */
  readonly errors?: string | undefined;
  /** Warnings about the resource's records, each with its place in the program or the file. */
  readonly warnings?: readonly string[] | undefined;
  /** Parts of the resource's file that were skipped on purpose. */
  readonly notes?: readonly string[] | undefined;
}

/** A record that another resource declares, without its value. */
export interface DeclaredElsewhere {
  readonly digest: string;
  readonly secret: boolean;
  readonly mail: Mail;
}

/** The name of the input. A program's transforms leave it alone; its unit tests do not see it. */
export const manifestInput = "__program";

/** Marks the configuration of an explicit `Provider`, which does not read the environment. */
export const explicitKey = "legacydns:explicit";

type Props = Readonly<Record<string, unknown>>;

/** The manifest among the inputs that the engine sends, and the other inputs. */
export function readManifest(given: Props): { readonly manifest: Manifest; readonly inputs: Props } {
  const { [manifestInput]: sent, ...inputs } = given;
  const { resource, urn, updates, problems, declared, unknown } = propsOf(sent);
  const { errors, warnings, notes } = propsOf(problems);
  const texts = Object.entries(propsOf(declared)).flatMap(([domain, text]) =>
    typeof text === "string" ? [[domain, text] as const] : [],
  );
  return {
    manifest: {
      resource: textOf(resource),
      urn: textOf(urn),
      updates: updates === true || undefined,
      problems: { errors: textOf(errors), warnings: textsOf(warnings), notes: textsOf(notes) },
      declared: declared === undefined ? undefined : Object.fromEntries(texts),
      unknown: textsOf(unknown),
    },
    inputs,
  };
}

/**
 * Digests of records, separated by spaces. Suffixes: `*` for a secret, `@` for an MX record of the apex, `.`
 * for another MX.
 */
export function declaredText(records: readonly DeclaredRecord[]): string {
  const marks = { apex: "@", name: "." } as const;
  return records
    .map((record) => {
      const mail = mailOf(record);
      return `${digest(recordKey(record))}${record.secret === true ? "*" : ""}${mail === undefined ? "" : marks[mail]}`;
    })
    .join(" ");
}

/** The inverse of {@link declaredText}. */
export function readDeclared(text: string): DeclaredElsewhere[] {
  return text.split(" ").flatMap((word) => {
    const [, key = "", secret = "", mail = ""] = /^([\w-]+)(\*?)([@.]?)$/.exec(word) ?? [];
    if (key === "") return [];
    return [
      { digest: key, secret: secret !== "", mail: mail === "" ? undefined : mail === "@" ? "apex" : "name" },
    ];
  });
}

/** The warnings and notes of a resource. An empty list is not sent. */
export function packNotes({ warnings, notes }: SourceNotes): ManifestProblems {
  return { ...(warnings.length > 0 ? { warnings } : {}), ...(notes.length > 0 ? { notes } : {}) };
}

function propsOf(value: unknown): Props {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}
