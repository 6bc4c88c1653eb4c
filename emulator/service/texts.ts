/**
 * The service's own words, where recorded answers have them (service-notes.md,
 * How the service has really answered). All other texts are the emulator's.
 */
export const texts = {
  ok: "Action completed successful",
  /** An English account's. */
  okEnglish: "Operation successful",
  /** With `lang=cn`. */
  okChinese: "操作已经成功完成",
  /** -1, and the international login codes. */
  login: "Login fail, please check login info",
  /** 10002 */
  tokenId: "The login token ID is invalid",
  /** 13 */
  domain: "Domain is not exists",
  /** 26 */
  line: "Record line invalid",
  /** 104 */
  repeated: "Domain record already exists",
  /** 3 */
  unknown: "Unknown error",
} as const;
