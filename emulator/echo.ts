/** Messages that repeat sent values, as services do: `{sent}` stands for the values of the records. */
import { z } from "zod";

export function repeating(message: string, values: readonly string[]): string {
  return message.replaceAll("{sent}", () => values.join(", "));
}

const valued = z.array(z.object({ value: z.string() }).nullable().catch(null));

/** The record values of a call's parameters, unchanged. */
export function sentIn(params: Readonly<Record<string, string | undefined>>): string[] {
  const single = [params["value"], params["change_to"]].flatMap((value) => value ?? []);
  try {
    const records = valued.safeParse(JSON.parse(params["records"] ?? "[]"));
    return [...single, ...(records.data ?? []).flatMap((record) => record?.value ?? [])];
  } catch {
    return single;
  }
}
