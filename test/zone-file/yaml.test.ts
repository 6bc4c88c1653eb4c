import assert from "node:assert/strict";
import { fixture, messages, readYaml, shown } from "./support";

describe("a YAML zone", () => {
  it("holds specs and lines", () => {
    const result = readYaml(fixture("zone.yaml"));
    assert.deepEqual(shown(result), [
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
    assert.deepEqual(messages(result), [
      "warning a.yaml:11:11: type: \"显性URL\" is a type that this provider does not know: its values go to the service unchecked, byte for byte",
    ]);
    assert.deepEqual(
      result.records.map(({ position }) => `${position.line}:${position.column}`),
      ["3:5", "4:12", "4:17", "4:12", "4:17", "9:5", "10:5", "15:1", "16:1"],
    );
  });

  it("may be one text of lines, JSON, or empty", () => {
    assert.deepEqual(shown(readYaml("records: |\n  www A 192.0.2.1\n\n  ; no record\n")), ["default www.example.com. A 192.0.2.1"]);
    assert.deepEqual(shown(readYaml('{"domain":"EXAMPLE.com.","records":[{"type":"A","value":"192.0.2.1"}]}')), ["default example.com. A 192.0.2.1"]);
    assert.deepEqual(readYaml("records: []"), { records: [], problems: [], notes: [] });
  });

  it("takes the default line by its name as no line", () => {
    assert.deepEqual(shown(readYaml("records:\r\n  - { type: A, value: 192.0.2.1, line: 默认 }\r\n")), ["default example.com. A 192.0.2.1"]);
  });
});
