/**
 * Messages that repeat what was sent, as services do: `{sent}` in the message
 * of a fault or of a refusal stands for the values of the call's records, or
 * of the job's. `{sent:FORM}` clothes each value in another form.
 */

const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const forms: ReadonlyMap<string, (value: string) => string> = new Map([
  ["plain", (value: string) => value],
  // As inside a JSON string: quotes, backslashes and controls escaped.
  ["json", json],
  // As PHP writes JSON: slashes and all beyond ASCII are escaped too.
  [
    "json-ascii",
    (value: string) =>
      json(value)
        .replaceAll("/", "\\/")
        .replace(/[^ -~]/g, unicode),
  ],
  // RFC 3986, UTF-8.
  ["percent", encodeURIComponent],
  // As in a form's body: a blank is `+`.
  ["form", (value: string) => new URLSearchParams({ "": value }).toString().slice(1)],
  // RFC 4648 §4, of the UTF-8 octets.
  ["base64", (value: string) => Buffer.from(value, "utf8").toString("base64")],
]);

/** The forms of a repeated value. */
export const echoForms: readonly string[] = [...forms.keys()];

/** The message with the values in it; a form that is not known stays as it is. */
export function repeating(message: string, values: readonly string[]): string {
  return message.replace(/\{sent(?::([a-z0-9-]+))?\}/g, (whole, name: string | undefined) => {
    const form = forms.get(name ?? "plain");
    return form === undefined ? whole : values.map((value) => form(value)).join(", ");
  });
}

/** The record values of a call's parameters, unchanged. */
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
