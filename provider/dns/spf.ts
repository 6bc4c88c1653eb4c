/** SPF records as text (RFC 7208): their terms, and the look-ups in the DNS that each of them costs. */

/** The most look-ups that a check of one sender may take (RFC 7208 §4.6.4). */
export const mostLookups = 10;

/** Whether a TXT record is one of SPF (RFC 7208 §4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** A term that costs a look-up, and the other record of SPF that is read for it. */
export interface LookupTerm {
  /** As it is written. */
  readonly term: string;
  /** `include` and `redirect`: whose record counts as well; lower case, without the dot. */
  readonly follows?: string;
}

/** The terms of a record that cost look-ups: `include`, `a`, `mx`, `ptr`, `exists` and `redirect` (RFC 7208 §4.6.4). */
export function lookupTerms(text: string): LookupTerm[] {
  const terms = text.split(" ");
  // Beside `all`, nobody reads where `redirect` leads (RFC 7208 §6.1).
  const ends = terms.some((term) => /^[+?~-]?all$/i.test(term));
  return terms.flatMap((term): LookupTerm[] => {
    const [, modifier, redirected] = /^(redirect)=(.*)$/i.exec(term) ?? [];
    const [, mechanism = modifier, domain = redirected] =
      /^[+?~-]?(include|a|mx|ptr|exists)(?:[:/](.*))?$/i.exec(term) ?? [];
    if (mechanism === undefined || (modifier !== undefined && ends)) return [];
    const follows = /^(include|redirect)$/i.test(mechanism) && domain !== undefined && domain !== "";
    return [follows ? { term, follows: domain.toLowerCase().replace(/\.$/, "") } : { term }];
  });
}
