/** Problems of records whose values are secret. */
import { doesNotMatch, match, notEqual } from "node:assert/strict";
import { textOf } from "../../provider/problems";
import { expand } from "./expand";

describe("problems of secret records", () => {
  const secret = "hush-hush";
  const told = (input: unknown) => expand(input, { sensitive: true }).problems.map(textOf).join("\n");

  it("a message about a secret record shows no value", () => {
    const of = (type: string, value: unknown): object => ({ name: "www", type, value });
    const inputs: readonly unknown[] = [
      [of("A", secret)],
      [of("CNAME", secret)],
      [of("MX", `${secret} mx1.example.com`)],
      [of("MX", `10 20 ${secret}`)],
      [of("SRV", `1 2 ${secret} a.example.com`)],
      [of("CAA", `${secret} issue x`)],
      [of("CAA", `0 ${secret} x`)],
      [of("TXT", [secret, secret])],
      [of("TXT", secret), of("CNAME", "a.example.net")],
      `www TXT "${secret}`,
      `www ${secret} x`,
      `"${secret}" TXT`,
      `${secret}! A 192.0.2.1`,
      { [`www A ${secret}`]: 600 },
      { [`www TXT "${secret}"`]: `${secret} (disabled)` },
    ];
    for (const input of inputs) {
      notEqual(told(input), "", JSON.stringify(input));
      doesNotMatch(told(input), /hush/, JSON.stringify(input));
    }
    doesNotMatch(told([of("CAA", "0 isue x")]), /isue|did you mean/);
  });

  it("a message about a secret record shows name and type", () => {
    match(
      told([{ name: "www", type: "TXT", value: ["a", "a"] }]),
      /^records\[0\]\.value\[1\]: www\.example\.com\. TXT \(secret\) /,
    );
    match(told("www A x"), /^records line 1: \(secret\) /);
  });
});
