import { deepEqual, equal } from "node:assert/strict";
import { fixture, messages, readYaml, shown } from "./support";

describe("a YAML zone", () => {
  it("holds specs and lines", () => {
    const result = readYaml(fixture("zone.yaml"));
    deepEqual(shown(result), [
      "default example.com. MX 10 mail.example.com.",
      "300 www.example.com. A 192.0.2.1 [电信]",
      "300 *.dev.example.com. A 192.0.2.1 [电信]",
      "300 www.example.com. A 192.0.2.2 [电信]",
      "300 *.dev.example.com. A 192.0.2.2 [电信]",
      "600 mail.example.com. A 192.0.2.3",
      "default go.example.com. 显性URL https://example.net/x",
      'default txt.example.com. TXT "v=spf1 -all"',
      "default api.example.com. A 192.0.2.4 [联通]",
    ]);
    deepEqual(messages(result), ['a.yaml:11:11: type: type.unchecked "显性URL"']);
    deepEqual(
      result.records.map(({ position }) => `${position.line}:${position.column}`),
      ["3:5", "4:12", "4:17", "4:12", "4:17", "9:5", "10:5", "15:1", "16:1"],
    );
  });

  it("may be one text of lines, JSON, or empty", () => {
    deepEqual(shown(readYaml("records: |\n  www A 192.0.2.1\n\n  ; no record\n")), [
      "default www.example.com. A 192.0.2.1",
    ]);
    deepEqual(shown(readYaml('{"domain":"EXAMPLE.com.","records":[{"type":"A","value":"192.0.2.1"}]}')), [
      "default example.com. A 192.0.2.1",
    ]);
    deepEqual(readYaml("records: []"), { records: [], problems: [], notes: [] });
  });

  it("takes the default line by its name as no line", () => {
    deepEqual(shown(readYaml("records:\r\n  - { type: A, value: 192.0.2.1, line: 默认 }\r\n")), [
      "default example.com. A 192.0.2.1",
    ]);
  });
});

describe("a YAML zone with something wrong", () => {
  const spec = (fields: string) => `records:\n  - { name: a, type: TXT, ${fields} }`;

  it("reports all syntax errors, and only these", () => {
    const result = readYaml(
      "domain: example.org\nrecords:\n  - { name: @, type: A, value: 192.0.2.1 }\n  - www A 1.2.3\n  - { name: a, name: a, type: A, value: x }",
    );
    deepEqual(
      result.problems.map(({ code, path }) => `${path} ${code}`),
      ["a.yaml:3:13 yaml.syntax", "a.yaml:5:16 yaml.syntax"],
    );
    deepEqual(result.records, []);
  });

  it("reports all problems of a file without syntax errors", () => {
    const result = readYaml(
      "domain: example.org\nrecords:\n  - www A 1.2.3\n  - { name: ok, type: A, value: 192.0.2.1 }\n  - b MX x\nother: 1",
    );
    deepEqual(result.problems.map(({ path }) => path).sort(), [
      "a.yaml:1:9",
      "a.yaml:3:5",
      "a.yaml:5:5",
      "a.yaml:6:1",
    ]);
    deepEqual(shown(result), ["default ok.example.com. A 192.0.2.1"]);
  });

  it("has no tags, not even those of YAML itself", () => {
    const text =
      "records: !!seq\n  - !!map { !!str name: a, type: !!str A, value: !x 192.0.2.1 }\n  - ! www A 192.0.2.2\n  - mail A 192.0.2.3";
    deepEqual(messages(readYaml(text)), [
      "a.yaml:2:3: yaml.unfit the tag tag:yaml.org,2002:seq remove it",
      "a.yaml:2:11: yaml.unfit the tag tag:yaml.org,2002:map remove it",
      "a.yaml:2:19: yaml.unfit the tag tag:yaml.org,2002:str remove it",
      "a.yaml:2:40: yaml.unfit the tag tag:yaml.org,2002:str remove it",
      "a.yaml:2:53: yaml.unfit the tag !x remove it",
      "a.yaml:3:7: yaml.unfit the tag ! remove it",
    ]);
  });

  it("reports a text that ends with the line feed of its block", () => {
    const [message, refused] = ["value: text.line-feed", "value: text.changed"];
    const block = (mark: string, type = "TXT") =>
      `records:\n  - name: a\n    type: ${type}\n    value: ${mark}\n      192.0.2.1\n`;
    for (const mark of ["|", ">", "|+"]) {
      deepEqual(messages(readYaml(block(mark))), [`a.yaml:4:12: ${message}`, `a.yaml:4:12: ${refused}`]);
      deepEqual(shown(readYaml(block(mark))), []);
      deepEqual(messages(readYaml(block(mark, "A"))), []);
    }
    for (const mark of ["|-", ">-"]) deepEqual(messages(readYaml(block(mark))), []);
    deepEqual(messages(readYaml(spec('value: "a\\n"'))), [`a.yaml:2:34: ${refused}`]);
    deepEqual(
      messages(
        readYaml("records:\n  - name: a\n    type: TXT\n    value:\n      - x\n      - |\n        y\n"),
      ),
      [`a.yaml:6:9: ${message}`, `a.yaml:6:9: ${refused}`],
    );
  });

  it("has no halves of characters", () => {
    deepEqual(messages(readYaml(spec('value: "a\\ud800"'))), ["a.yaml:2:34: text.half-character"]);
    deepEqual(messages(readYaml(spec('value: x, line: "\\udc00"'))), ["a.yaml:2:43: text.half-character"]);
    deepEqual(messages(readYaml('records: ["a A 192.0.2.1 [\\ud800]"]')), [
      "a.yaml:1:11: text.half-character",
    ]);
    deepEqual(messages(readYaml('records: "a A 192.0.2.1 [\\ud800]"')), ["a.yaml:1:10: text.half-character"]);
    deepEqual(messages(readYaml(spec('value: "\\ud83d\\ude00"'))), []);
  });

  it("refuses texts with quotes of their own in lines as in specs", () => {
    deepEqual(messages(readYaml(spec(`value: '"a" and "b"'`))), ["a.yaml:2:34: value: text.changed"]);
    deepEqual(messages(readYaml('records:\n  - \'a TXT "\\"b\\""\'')), ["a.yaml:2:5: text.changed"]);
  });

  it("may be empty only with an explicit empty list", () => {
    deepEqual(messages(readYaml("records: |\n  ; nothing\n")), ["a.yaml:1:1: file.empty the file"]);
    deepEqual(messages(readYaml("records: []")), []);
    deepEqual(messages(readYaml("records:")), ["a.yaml:1:9: yaml.records"]);
  });

  it("makes at most 65,536 records by lists, all specs together", () => {
    const list = (count: number, text: string) =>
      `[${Array.from({ length: count }, (_, index) => `${text}${index}`).join(", ")}]`;
    const specs = (count: number) =>
      `  - { name: ${list(count, "h")}, type: TXT, value: ${list(200, "v")} }\n`;
    deepEqual(messages(readYaml(`records:\n${specs(1000)}`)), ["a.yaml:2:5: file.generated 65536 records"]);
    const two = readYaml(
      `records:\n${specs(200)}${specs(200).replaceAll("h", "g")}  - { name: x, type: TXT, value: y }\n`,
    );
    deepEqual(messages(two), ["a.yaml:3:5: file.generated 65536 records"]);
    equal(two.records.length, 40_001);
    equal(
      readYaml(
        `records:\n${Array.from({ length: 66_000 }, (_, index) => `- h${index} A 192.0.2.1\n`).join("")}`,
      ).records.length,
      66_000,
    );
  }).timeout(120_000);
});
