import { deepEqual } from "node:assert/strict";
import { patternMatcher, patternProblems } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { problemLine } from "../support/problems";
import { expand } from "./expand";

const matching: [pattern: string, record: string][] = [
  ["www", "www A 192.0.2.1"],
  ["WWW", "www A 192.0.2.1"],
  ["@", "@ A 192.0.2.1"],
  ["*", "@ A 192.0.2.1"],
  ["w*w", "www A 192.0.2.1"],
  ["*", "*.preview A 192.0.2.1"],
  ["_acme-challenge*", "_acme-challenge.www TXT token"],
  ["www *", "www A 192.0.2.1"],
  ["www mx", "www MX 10 mx1.example.net."],
  ["www A 192.0.2.1", "www A 192.0.2.1"],
  ["* * 192.0.2.*", "www A 192.0.2.10"],
  ["* AAAA 2001:db8:*", "www AAAA 2001:DB8:0::1"],
  ["* CNAME *.acm-validations.aws.", "_a1 CNAME _b2.ACM-validations.aws."],
  ["* CNAME *.ACM-validations.aws", "_a1 CNAME _b2.acm-validations.aws."],
  ["* MX 10 *", "@ MX 10 mx1.example.net."],
  ["* MX mx1.example.net", "@ MX 10 mx1.example.net."],
  ["* AAAA 2001:DB8::1", "www AAAA 2001:db8::1"],
  ["* SRV * 5060 *", "_sip._tcp SRV 10 5 5060 sip.example.net."],
  ['* CAA 0 issue "ca.example.net"', '@ CAA 0 issue "ca.example.net"'],
  ["* CAA 0 issue ca.example.net", '@ CAA 0 issue "ca.example.net"'],
  ['@ TXT "v=spf1*"', '@ TXT "v=spf1 -all"'],
  ["@ TXT v=spf1*", '@ TXT "v=spf1 -all"'],
  ["@ TXT v=spf1 -all", '@ TXT "v=spf1 -all"'],
  ["@  txt   v=spf1 -all  ", '@ TXT "v=spf1 -all"'],
  ["@ TXT *  *", '@ TXT "two  blanks"'],
  ["* 显性URL", "www 显性URL https://example.net"],
];
const others: typeof matching = [
  ["www", "www2 A 192.0.2.1"],
  ["ww*ww", "www A 192.0.2.1"],
  ["* TXT", "www A 192.0.2.1"],
  ["www A 192.0.2.1", "www A 192.0.2.10"],
  ["* MX 20 mx1.example.net", "@ MX 10 mx1.example.net."],
  ["@ TXT V=SPF1*", '@ TXT "v=spf1 -all"'],
];

describe("patterns of `ignore`, `protect` and `absent`", () => {
  for (const rows of [matching, others])
    for (const [pattern, line] of rows)
      it(`${pattern} ${rows === matching ? "matches" : "does not match"} ${line}`, () => {
        const { records, problems } = expand([line]);
        deepEqual(problems.filter(isError), []);
        deepEqual(records.map(patternMatcher([pattern])), [rows === matching]);
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
