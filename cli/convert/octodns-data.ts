/** The values of octoDNS's records, by the rules of octoDNS 1.18. Pure. */
import { fail, specData, type SharedType, type SpecData } from "./conversion";
import type { Part } from "./document";

interface OctodnsData extends SpecData {
  readonly notes: readonly string[];
}

export function octodnsData(type: SharedType, part: Part, fill: (text: string) => string): OctodnsData {
  const { parts, notes = [] } = partsOf(type, part, fill);
  return { ...specData(type, parts, "write the whole name and the dot"), notes };
}

interface Parts {
  readonly parts: readonly string[];
  readonly notes?: readonly string[];
}

function partsOf(type: SharedType, part: Part, fill: (text: string) => string): Parts {
  const filled = (from: Part | undefined): string => fill(textIn(from) || unread());
  const number = (...names: string[]): string => {
    // octoDNS uses the first name that exists, even with a wrong value.
    const name = names.find((each) => part.get(each) !== undefined) ?? names[0] ?? "";
    return wholeNumber(part.get(name)) ?? fail(`the value has no ${name} that is a whole number`);
  };
  switch (type) {
    case "A":
    case "AAAA":
      return { parts: [textIn(part)] };
    case "MX":
      return {
        parts: [number("preference", "priority"), filled(part.get("exchange") ?? part.get("value"))],
      };
    case "SRV":
      return { parts: [number("priority"), number("weight"), number("port"), filled(part.get("target"))] };
    case "CAA": {
      const flags = part.get("flags") === undefined ? "0" : number("flags");
      const value = fill(textIn(part.get("value")));
      return { parts: [flags, textIn(part.get("tag")), value], notes: backslashNotes(value) };
    }
    case "TXT":
      return txt(textIn(part), fill);
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return { parts: [filled(part)] };
  }
}

/** The result of Python's `int()` for a number or its text; undefined for anything else. */
export function wholeNumber(part: Part | undefined): string | undefined {
  const { type, text = "" } = part?.scalar ?? {};
  return type === "int" || (type === "text" && /^\d{1,20}$/.test(text)) ? String(BigInt(text)) : undefined;
}

/** octoDNS accepts no number here. */
function textIn(part: Part | undefined): string {
  const { type, text } = part?.scalar ?? {};
  return type === "text" && text !== undefined ? text : unread();
}

function unread(): never {
  return fail("this value cannot be read; see octoDNS's documentation of the type");
}

/** A text without the quotes that octoDNS removes: around the text, and between two strings. */
function txt(written: string, fill: (text: string) => string): Parts {
  const inner = written.startsWith('"') ? written.slice(1).replace(/.$/su, "") : written;
  const text = fill(inner.replaceAll('" "', "")).replaceAll("\\;", ";");
  const refused = /[\p{L}\p{N}_];/u.test(written);
  const semicolon = "octoDNS refuses a semicolon without a backslash; it is converted";
  return { parts: [text], notes: refused ? [semicolon] : backslashNotes(text) };
}

function backslashNotes(text: string): string[] {
  return text.includes("\\") ? ["the backslash stays, as with octoDNS; compare it with the live record"] : [];
}

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
      fail(`${found} is not a variable that this command knows; write its value`),
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
