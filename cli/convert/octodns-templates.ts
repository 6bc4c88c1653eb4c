/** octoDNS's Templating processor 1.18: `{zone_name}` and other variables in texts and targets. Pure. */

/** The processor's setup: absent, with its defaults, or with `trailing_dots: false`. */
export type Templating = "off" | "on" | "no-dots";

export const templatings: readonly Templating[] = ["off", "on", "no-dots"];

interface Templated {
  readonly domain: string;
  /** Empty for the zone itself. */
  readonly name: string;
  readonly type: string;
  readonly ttl: string | undefined;
  readonly defaultTtl: number;
}

export function withTemplates(
  text: string,
  templating: Templating | undefined,
  record: Templated,
): { readonly text: string } | { readonly problem: string } {
  if (templating === "off" || !text.includes("{")) return { text };
  if (templating === undefined)
    return {
      problem:
        "octoDNS replaces what stands in braces if its configuration has the Templating processor: say how it is set up with --templating on, no-dots (trailing_dots: false) or off",
    };
  const variables = variablesOf(record, templating === "on" ? "." : "");
  const problems: string[] = [];
  const filled = text.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (found, name: string | undefined) => {
    if (found === "{{" || found === "}}") return found.charAt(0);
    const value = name === undefined ? undefined : variables.get(name);
    if (value === undefined) problems.push(found);
    return value ?? found;
  });
  return problems.length === 0
    ? { text: filled }
    : {
        problem: `${problems.join(", ")} is no variable of octoDNS's Templating processor that can be replaced here; write its value`,
      };
}

function variablesOf({ domain, name, type, ttl, defaultTtl }: Templated, dot: string): Map<string, string> {
  const zone = `${domain}${dot}`;
  const fqdn = name === "" ? zone : `${name}.${zone}`;
  // octoDNS has a second form, in Unicode, for names outside ASCII. This command does not make it.
  const isPlain = !/xn--|[^\x00-\x7f]/.test(fqdn);
  const forms = (start: string, end: string, value: string): [string, string][] =>
    isPlain ? ["", "decoded_", "encoded_"].map((form) => [`${start}_${form}${end}`, value]) : [];
  return new Map([
    ...forms("zone", "name", zone),
    ...forms("record", "name", name),
    ...forms("record", "fqdn", fqdn),
    ["record_type", type],
    ["record_ttl", ttl ?? String(defaultTtl)],
  ]);
}
