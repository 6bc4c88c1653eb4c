import { deepEqual, equal } from "node:assert/strict";
import { patternMatcher, patternProblems } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { problemLine } from "../support/problems";
import { expand } from "./expand";

const rows: [pattern: string, record: string, isMatch: boolean][] = [
  ["www", "www A 192.0.2.1", true],
  ["WWW", "www A 192.0.2.1", true],
  ["www", "www2 A 192.0.2.1", false],
  ["@", "@ A 192.0.2.1", true],
  ["*", "@ A 192.0.2.1", true],
  ["w*w", "www A 192.0.2.1", true],
  ["ww*ww", "www A 192.0.2.1", false],
  ["*", "*.preview A 192.0.2.1", true],
  ["_acme-challenge*", "_acme-challenge.www TXT token", true],
  ["www *", "www A 192.0.2.1", true],
  ["www mx", "www MX 10 mx1.example.net.", true],
  ["* TXT", "www A 192.0.2.1", false],
  ["www A 192.0.2.1", "www A 192.0.2.1", true],
  ["www A 192.0.2.1", "www A 192.0.2.10", false],
  ["* * 192.0.2.*", "www A 192.0.2.10", true],
  ["* AAAA 2001:db8:*", "www AAAA 2001:DB8:0::1", true],
  ["* CNAME *.acm-validations.aws.", "_a1 CNAME _b2.ACM-validations.aws.", true],
  ["* CNAME *.ACM-validations.aws", "_a1 CNAME _b2.acm-validations.aws.", true],
  ["* MX 10 *", "@ MX 10 mx1.example.net.", true],
  ["* MX mx1.example.net", "@ MX 10 mx1.example.net.", true],
  ["* MX 20 mx1.example.net", "@ MX 10 mx1.example.net.", false],
  ["* AAAA 2001:DB8::1", "www AAAA 2001:db8::1", true],
  ["* SRV * 5060 *", "_sip._tcp SRV 10 5 5060 sip.example.net.", true],
  ['* CAA 0 issue "ca.example.net"', '@ CAA 0 issue "ca.example.net"', true],
  ["* CAA 0 issue ca.example.net", '@ CAA 0 issue "ca.example.net"', true],
  ['@ TXT "v=spf1*"', '@ TXT "v=spf1 -all"', true],
  ["@ TXT v=spf1*", '@ TXT "v=spf1 -all"', true],
  ["@ TXT v=spf1 -all", '@ TXT "v=spf1 -all"', true],
  ["@  txt   v=spf1 -all  ", '@ TXT "v=spf1 -all"', true],
  ["@ TXT V=SPF1*", '@ TXT "v=spf1 -all"', false],
  ["@ TXT *  *", '@ TXT "two  blanks"', true],
  ["* 显性URL", "www 显性URL https://example.net", true],
];

describe("patterns of `ignore`, `protect` and `absent`", () => {
  for (const [pattern, line, isMatch] of rows)
    it(`${pattern} ${isMatch ? "matches" : "does not match"} ${line}`, () => {
      const { records, problems } = expand([line]);
      const [record] = records;
      deepEqual(problems.filter(isError), []);
      equal(record !== undefined && patternMatcher([pattern])(record), isMatch);
    });

  it("a list matches if one of its patterns does, and an empty list never does", () => {
    const record = { name: "www", type: "A", value: "192.0.2.1" };
    deepEqual(
      [["* TXT", "www"], []].map((patterns) => patternMatcher(patterns)(record)),
      [true, false],
    );
  });

  it("a wrong pattern is refused, without its value", () => {
    const own = ["www.example.com.", "www.example.com A"];
    const patterns = ["keep AA", "keep AA hunter2", " ", "keep 600", ...own, "* TXT", "a b c", "example.net"];
    deepEqual(patternProblems(patterns, "ignore", ["example.com"]).map(problemLine), [
      'ignore[0]: "keep AA": AA type.unknown did you mean AAAA?',
      'ignore[1]: "keep AA …": AA type.unknown did you mean AAAA?',
      'ignore[2]: value.unfit " " a pattern "_acme-challenge*" or "* TXT v=spf1*"',
      'ignore[3]: value.unfit "keep 600" a pattern "_acme-challenge*" or "* TXT v=spf1*"',
      'ignore[4]: value.unfit "www.example.com." a pattern, whose name is relative to the domain "_acme-challenge*" or "* TXT v=spf1*"',
      'ignore[5]: value.unfit "www.example.com A" a pattern, whose name is relative to the domain "_acme-challenge*" or "* TXT v=spf1*"',
    ]);
  });
});
