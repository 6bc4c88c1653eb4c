/**
 * Messages that repeat what was sent, as services do: `{sent}` in the message of a fault or of a refusal stands for the
 * values of the call's records, or of the job's.
 */

/** The message with the values in it. */
export function repeating(message: string, values: readonly string[]): string {
  return message.replaceAll("{sent}", () => values.join(", "));
}

/** The record values of a call's parameters, as they came; none where the call holds none. */
export function sentIn(params: Readonly<Record<string, string | undefined>>): string[] {
  const single = [params["value"], params["change_to"]].flatMap((value) => value ?? []);
  const text = params["records"];
  if (text === undefined) return single;
  try {
    const records: unknown = JSON.parse(text);
    return [...single, ...(Array.isArray(records) ? records.flatMap((record: { value?: unknown } | null) => (typeof record?.value === "string" ? [record.value] : [])) : [])];
  } catch {
    return single;
  }
}
