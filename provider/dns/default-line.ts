/**
 * The default line's name depends on the account's language and the setting `defaultLine`; its number is
 * always 0.
 */

export function isDefaultLine(name: string, setting: string): boolean {
  return name === setting || name === "默认" || name.toLowerCase() === "default";
}
