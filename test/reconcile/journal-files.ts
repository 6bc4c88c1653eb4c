/** The journal's files of a lab. */
import fs from "node:fs";
import { join } from "node:path";
import { Journal } from "../../provider/reconcile/memory/journal";
import type { Settings } from "../../provider/settings";
import { collectingReporter } from "../support/reporter";
import type { Lab } from "../support/lab";

export const folderOf = (lab: Lab) => join(lab.settings.stateDir, "journal");
export const filesOf = (lab: Lab) =>
  fs.existsSync(folderOf(lab)) ? fs.readdirSync(folderOf(lab)).map((name) => join(folderOf(lab), name)) : [];
export const textOf = (lab: Lab) =>
  filesOf(lab)
    .map((file) => fs.readFileSync(file, "utf8"))
    .join("");
export const journalOf = (
  lab: Lab,
  ms = 0,
  settings: Partial<Settings> = {},
  reporter = collectingReporter(),
) =>
  new Journal(
    { ...lab.settings, ...settings },
    lab.clockAhead(() => ms),
    reporter,
  );
export const edit = (lab: Lab, change: (text: string) => string) => {
  const [path = ""] = filesOf(lab);
  fs.writeFileSync(path, change(fs.readFileSync(path, "utf8")));
  return path;
};
export const withoutEnds = (text: string) => text.replace(/^.*"ended".*\n/gm, "");
