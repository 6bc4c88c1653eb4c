/** Marks that other tools write into comments behind a record. They have no effect here. */

const marks: readonly (readonly [pattern: RegExp, effect: string])[] = [
  // Cloudflare's export. No record is proxied here, so `cf-proxied:false` alone changes nothing.
  [/\bcf_tags=(?!cf-proxied:false\s*$)/i, "Cloudflare's mark cf_tags has no effect here"],
  // cli53, for Route 53.
  [/\bAWS (?:routing=|ALIAS\b)/i, "the mark AWS of a Route 53 export has no effect here"],
  [
    /\b(?:disabled\s?[:=]\s?(?:true|yes|1)|(?:enabled|active)\s?[:=]\s?(?:false|no|0))\b/i,
    "a comment marks a record as disabled, but the record is declared",
  ],
];

/** @returns a sentence for each mark in the comment */
export function marksIn(comment: string): string[] {
  return marks.filter(([pattern]) => pattern.test(comment)).map(([, effect]) => effect);
}
