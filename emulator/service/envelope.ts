/** The envelope (api.md, Response envelope); XML without `format=json` (service-notes.md, Transport). */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "Refusal";
  }
}

const beijing = 8 * 3600 * 1000;

export function serviceTime(ms: number): string {
  return new Date(ms + beijing).toISOString().slice(0, 19).replace("T", " ");
}

export function envelope(code: string, message: string, now: number): JsonObject {
  return { status: { code, message, created_at: serviceTime(now) } };
}

export const commonCodes = {
  loginFailed: "-1",
  callLimit: "-2",
  noRight: "-7",
  loginBanned: "-8",
  ok: "1",
  postOnly: "2",
  unknown: "3",
  tokenForm: "10001",
  tokenWrong: "10002",
} as const;

export function toXml(answer: JsonObject): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<answer>${xmlOf(answer)}</answer>`;
}

function xmlOf(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map((item: Json) => `<item>${xmlOf(item)}</item>`).join("");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([key, inner]: [string, Json]) => `<${key}>${xmlOf(inner)}</${key}>`)
      .join("");
  }
  return String(value).replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"));
}

/** The service's own words (service-notes.md, How the service has really answered). */
export const texts = {
  ok: "Action completed successful",
  okEnglish: "Operation successful",
  okChinese: "操作已经成功完成",
  login: "Login fail, please check login info",
  tokenId: "The login token ID is invalid",
  domain: "Domain is not exists",
  line: "Record line invalid",
  repeated: "Domain record already exists",
} as const;

/** Messages that repeat sent values, as services do: `{sent}` stands for the values of the records. */
export function repeating(message: string, values: readonly string[]): string {
  return message.replaceAll("{sent}", () => values.join(", "));
}
