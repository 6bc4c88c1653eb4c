/** octoDNS's Templating processor 1.18: `{zone_name}` and other variables in texts and targets. Pure. */
import { fail } from "./conversion";

export const templatings = ["off", "on", "no-dots"] as const;

/** The processor's setup: absent, with its defaults, or with `trailing_dots: false`. */
export type Templating = (typeof templatings)[number];

interface Templated {
  readonly domain: string;
  /** Empty for the zone itself. */
  readonly name: string;
  readonly type: string;
  readonly ttl: string;
}

export function withTemplates(text: string, templating: Templating | undefined, record: Templated): string {
  if (templating === "off" || !text.includes("{")) return text;
  if (templating === undefined)
    fail(
      "octoDNS may replace the braces; give the setup of its Templating processor: --templating on, no-dots (trailing_dots: false) or off",
    );
  const variables = variablesOf(record, templating === "on" ? "." : "");
  return text.replace(
    /\{\{|\}\}|\{([^{}]*)\}|[{}]/g,
    (found, name = "") =>
      (found === "{{" || found === "}}" ? found.charAt(0) : variables.get(name)) ??
      fail(`${found} is no variable that this command knows; write its value`),
  );
}

function variablesOf({ domain, name, type, ttl }: Templated, dot: string): Map<string, string> {
  const zone = `${domain}${dot}`;
  const fqdn = name === "" ? zone : `${name}.${zone}`;
  // octoDNS has a second form, in Unicode, for names outside ASCII. This command does not make it.
  const forms = /xn--|[^\x00-\x7f]/.test(fqdn) ? [] : ["", "decoded_", "encoded_"];
  return new Map([
    ...forms.flatMap((form): [string, string][] => [
      [`zone_${form}name`, zone],
      [`record_${form}name`, name],
      [`record_${form}fqdn`, fqdn],
    ]),
    ["record_type", type],
    ["record_ttl", ttl],
  ]);
}
