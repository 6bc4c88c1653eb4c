/** CAA: flags, a tag and a value (RFC 8659). */
import { nearest } from "../../support/nearest";
import { quote, skipSpace, skipWord, trimSpace, unquote, lowerAscii } from "../quoting";
import { didYouMean, reason } from "../../problems";
import { formProblem, uint, wrong, type Data, type RecordType, type Source } from "./type";

/** IANA, CAA properties (RFC 8659 §7.1). */
const tags = ["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail", "issuevmc"];

function read({ value, show }: Source): Data {
  const trimmed = trimSpace(value);
  const flagsEnd = skipWord(trimmed, 0);
  const tagStart = skipSpace(trimmed, flagsEnd);
  const tagEnd = skipWord(trimmed, tagStart);
  const rest = trimmed.slice(skipSpace(trimmed, tagEnd));
  if (rest === "") return wrong(formProblem(caa, value, show));
  const flags = uint(trimmed.slice(0, flagsEnd), 255, show);
  if (typeof flags !== "number") return wrong(flags);
  const tag = lowerAscii(trimmed.slice(tagStart, tagEnd));
  if (!/^[a-z0-9]+$/.test(tag))
    return wrong(
      reason("value.unfit", { given: show(tag), what: "a CAA tag", example: "issue (RFC 8659 §4.1)" }),
    );
  const plain = rest.startsWith('"') ? unquote(rest) : rest;
  if (plain === undefined) return wrong(reason("text.quotes", { given: show(rest) }));
  const data = { value: `${flags} ${tag} ${quote(plain)}` };
  if (tags.includes(tag)) return data;
  // A guess would reveal a secret tag.
  const guess = show(tag).includes(tag) ? nearest(tag, tags) : undefined;
  const hint = didYouMean(guess, `the known ones are ${tags.join(", ")}`);
  return { ...data, note: reason("caa.tag-unknown", { given: show(tag), hint }) };
}

export const caa: RecordType<"CAA"> = {
  name: "CAA",
  read,
  fields: ["number", "word", "text"],
  form: 'flags, a tag and a value, such as 0 issue "letsencrypt.org"',
  checks: ["caa-open", "caa-wildcard", "caa-flags"],
};
