/** TXT: one text (RFC 1035 §3.3.14). Several strings are joined without a space (RFC 7208 §3.3). */
import { unquote } from "../quoting";
import { reason } from "../../problems";
import { wrong, type Data, type RecordType, type Source } from "./type";

/** The octets of strings of 255 in an RDLENGTH of 65535 (RFC 1035 §3.2.1, §3.3). */
const longest = 65_279;
/** Most resolvers cut longer answers over UDP (RFC 6891 §6.2.5). */
const long = 4096;

/** A spec's value between quotes is presentation text. */
function read({ value, presentation, show }: Source): Data {
  const isQuoted = value.startsWith('"') && (presentation || value.endsWith('"'));
  const joined = isQuoted ? unquote(value) : undefined;
  if (joined === undefined && isQuoted && presentation)
    return wrong(reason("text.quotes", { given: show(value) }));
  return textData(joined ?? value);
}

/** The service takes a pair of quotes and white space off the ends (service-notes.md, Records). */
export function textData(value: string): Data {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  if (isQuoted || value.trim() !== value) return { value, unfit: reason("text.changed") };
  if (value === "") return { value, note: reason("value.unusual", { what: "an empty text" }) };
  const octets = value.length <= long / 4 ? 0 : Buffer.byteLength(value);
  if (octets > longest) return wrong(reason("text.too-long", { octets, most: longest }));
  return octets <= long
    ? { value }
    : { value, note: reason("value.unusual", { what: `a text of ${octets} octets` }) };
}

export const txt: RecordType<"TXT"> = {
  name: "TXT",
  read,
  fields: "strings",
  form: "text in quotes",
  checks: [
    "text-quoting",
    "text-ascii",
    "mail-syntax",
    "mail-twice",
    "mail-half",
    "spf-lookups",
    "spf-dangling",
    "spf-open",
    "spf-neutral",
    "spf-ptr",
    "dmarc-alone",
    "dmarc-missing",
  ],
};
