/** The tables of the service's codes on docs/errors.md. Codes with equal texts share a row. */
import {
  common,
  documented,
  older,
  recordWrites,
  undocumented,
  type Meanings,
} from "../provider/api/meanings";
import { groupBy } from "../provider/support/collections";

interface Entry {
  readonly operation: string;
  readonly code: string;
  readonly meaning: string;
  readonly hint: string;
}

function entriesOf(tables: Readonly<Record<string, Meanings>>): Entry[] {
  return Object.entries(tables).flatMap(([operation, table]) =>
    Object.entries(table).map(([code, { meaning, hint }]) => ({ operation, code, meaning, hint })),
  );
}

/** `Domain.Info 6, 13; Record.List 13`; the codes alone if they hold for every operation. */
function placesOf(entries: readonly Entry[]): string {
  const codes = groupBy(entries, ({ operation }) => operation);
  return [...codes]
    .map(([operation, found]) => `${operation} ${found.map(({ code }) => code).join(", ")}`.trim())
    .join("; ");
}

function tableOf(entries: readonly Entry[]): string {
  const rows = [...groupBy(entries, ({ meaning, hint }) => `${meaning}\n${hint}`).values()].map((group) => {
    const [{ meaning, hint } = { meaning: "", hint: "" }] = group;
    return `| ${placesOf(group)} | ${meaning} | ${hint} |`;
  });
  return ["| code | meaning | remedy |", "|---|---|---|", ...rows].join("\n");
}

/** Record.Modify and Batch.Record.Modify share most codes with Batch.Record.Create. Those are left out. */
const ofUndocumented = entriesOf(undocumented).filter(
  ({ operation, code, meaning }) =>
    !operation.endsWith("Record.Modify") || recordWrites[code]?.meaning !== meaning,
);

export function serviceCodes(): string {
  return `### Documented codes

${tableOf(entriesOf(documented))}

### Codes of every operation
They come from an older edition of the documentation.

${tableOf(entriesOf({ "": common }))}

### Codes of older editions
The codes of Batch.Record.Create are not documented. These come from older operations that write records. A job's entries can contain
them as text.

${tableOf(entriesOf(older))}

### Codes of the undocumented operations
Only with [\`undocumentedOperations\`](full.md). Record.Modify and Batch.Record.Modify also return the codes of Batch.Record.Create.

${tableOf(ofUndocumented)}
`;
}
