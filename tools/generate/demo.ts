/** The demo's recording, as a picture of the README and as the text of the page that shows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chapters, recordedText } from "../demo/recording";
import { root } from "../support/main";
import { terminalPicture } from "./terminal";

const page = join(root, "tools/demo/README.md");
const block = /(?<=^```text\n)== [^]*?(?=^```$)/m;

const shown = ["Two domains, deployed", "Edits in the service's console", "A preview shows the drift"];

/** File → its text. */
export function demoFiles(): (readonly [file: string, text: string])[] {
  const picture = terminalPicture(
    chapters(...shown),
    "npm run demo",
    "The demo deploys two domains with pulumi up, edits three records in the console, and shows the three differences with pulumi preview.",
  );
  return [
    [join(root, "docs/pictures/demo.svg"), picture],
    [page, readFileSync(page, "utf8").replace(block, recordedText)],
  ];
}
