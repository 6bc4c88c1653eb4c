/**
 * Types that DNS has (IANA's registry) and this provider passes on as they are written, with the words of their data that
 * are names. None of them is a misspelling of another.
 */
export const registeredTypes: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ["AFSDB", [1]],
  ["CERT", []],
  ["DNAME", [0]],
  ["DNSKEY", []],
  ["DS", []],
  ["HINFO", []],
  ["HTTPS", [1]],
  ["KX", [1]],
  ["LOC", []],
  ["NAPTR", [5]],
  ["OPENPGPKEY", []],
  ["PTR", [0]],
  ["RP", [0, 1]],
  ["SMIMEA", []],
  ["SPF", []],
  ["SSHFP", []],
  ["SVCB", [1]],
  ["TLSA", []],
  ["URI", []],
]);
