/**
 * The line that every record is on unless another is named. Its name is the account's: `默认`, in English `Default` or
 * `default`, or what the setting `defaultLine` says; its number is 0 wherever it is told (service-notes, Records).
 */

/** @param setting the setting `defaultLine` */
export function isDefaultLine(name: string, setting: string): boolean {
  return name === setting || name === "默认" || name.toLowerCase() === "default";
}
