/** The service's own words (service-notes.md, How the service has really answered). */
export const texts = {
  ok: "Action completed successful",
  okEnglish: "Operation successful",
  /** With `lang=cn`. */
  okChinese: "操作已经成功完成",
  /** -1, and the international codes. */
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
