/** The default line. The account's language and the setting `defaultLine` change its name; its number is always 0. */

/** @param setting the setting `defaultLine` */
export function isDefaultLine(name: string, setting: string): boolean {
  return name === setting || name === "默认" || name.toLowerCase() === "default";
}
