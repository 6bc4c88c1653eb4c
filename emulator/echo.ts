/**
 * Messages that repeat sent values, as services do: `{sent}` in a fault's or a refusal's message stands
 * for the values of the records, `{sent:FORM}` for another form of them.
 */

const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const forms: ReadonlyMap<string, (value: string) => string> = new Map([
  ["plain", (value: string) => value],
  ["json", json],
  // As PHP writes JSON.
  [
    "json-ascii",
    (value: string) =>
      json(value)
        .replaceAll("/", "\\/")
        .replace(/[^ -~]/g, unicode),
  ],
  // RFC 3986.
  ["percent", encodeURIComponent],
  // A form's body: a blank is `+`.
  ["form", (value: string) => new URLSearchParams({ "": value }).toString().slice(1)],
  // RFC 4648 §4.
  ["base64", (value: string) => Buffer.from(value, "utf8").toString("base64")],
]);

export const echoForms: readonly string[] = [...forms.keys()];

/** Unknown forms stay. */
export function repeating(message: string, values: readonly string[]): string {
  return message.replace(/\{sent(?::([a-z0-9-]+))?\}/g, (whole, name: string | undefined) => {
    const form = forms.get(name ?? "plain");
    return form === undefined ? whole : values.map((value) => form(value)).join(", ");
  });
}

export function sentIn(params: Readonly<Record<string, string | undefined>>): string[] {
  const single = [params["value"], params["change_to"]].flatMap((value) => value ?? []);
  const text = params["records"];
  if (text === undefined) return single;
  try {
    const records: unknown = JSON.parse(text);
    return [
      ...single,
      ...(Array.isArray(records)
        ? records.flatMap((record: { value?: unknown } | null) =>
            typeof record?.value === "string" ? [record.value] : [],
          )
        : []),
    ];
  } catch {
    return single;
  }
}
