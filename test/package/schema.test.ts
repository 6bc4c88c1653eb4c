import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf, readSchema, type PropertySpec } from "../../tools/generate/spec";
import { sdkFolder } from "../../tools/generate/sdk";
import { settingNames, settingRows } from "../../provider/settings";
import { lookUps } from "../../provider/functions/table";
import { problemsOf, source } from "../support/settings";

describe("the plugin's schema", () => {
  const schema = readSchema();

  it("describes each resource, look-up, type and property for editors", () => {
    const things = Object.values({ ...schema.resources, ...schema.types, ...schema.functions });
    ok(things.every(({ description = "" }) => description.length >= 10));
    const silent: string[] = [];
    const visit = (value: object, path: string, areProperties = false): void => {
      for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
        if (typeof inner !== "object" || inner === null) continue;
        const text = "description" in inner ? String(inner.description) : "";
        if (areProperties && (!/^[`*\w].*\w.*[.:]/s.test(text) || text.startsWith("It must")))
          silent.push(`${path}.${name}`);
        visit(inner, `${path}.${name}`, /^(properties|inputProperties|variables)$/.test(name));
      }
    };
    visit(schema, "schema");
    deepEqual(silent, []);
  });

  it("has every setting, of which the token alone is secret, and every look-up with its arguments", () => {
    deepEqual(
      Object.keys(schema.config.variables).sort(),
      settingNames.filter((name) => name !== "usePlugin").sort(),
    );
    deepEqual(
      Object.entries(schema.config.variables).flatMap(([name, { secret }]) =>
        secret === true ? [name] : [],
      ),
      ["loginToken"],
    );
    deepEqual(
      Object.entries(schema.functions)
        .map(([token, { inputs }]) => [token, Object.keys(inputs.properties)])
        .sort(),
      lookUps.map(({ name, arguments: names }) => [`legacydns:index:${name}`, [...names]]).sort(),
    );
  });

  it("has the types of the settings' own declarations", () => {
    const takes = (name: string, text: string) => problemsOf(source({ [name]: text }))[name] === undefined;
    const kinds = { integer: ["100", "1.5"], number: ["1.5", "many"], boolean: ["true", "1"] } as const;
    for (const [name, { type = "" }] of Object.entries(schema.config.variables)) {
      if (type === "integer" || type === "number" || type === "boolean") {
        const [good, bad] = kinds[type];
        deepEqual([takes(name, good), takes(name, bad)], [true, false], `${name} is of type ${type}`);
        continue;
      }
      equal(type, "string", name);
      const rule = settingRows.find((row) => row.name === name)?.rule ?? "";
      const words = /^[a-z]+(, [a-z]+)* or [a-z]+$/.test(rule) ? rule.split(/, | or /) : [];
      // Only full mode takes `removal: delete`.
      for (const word of words) ok(word === "delete" || takes(name, word), `${name}: ${word}`);
    }
  });

  it("lists the words of removal, undeclared, mode and checks as enums", () => {
    const enums = Object.entries(schema.types).flatMap(([token, type]) =>
      type.type === "string" ? [[nameOf(token), type.enum.map(({ value }) => value)]] : [],
    );
    deepEqual(Object.fromEntries(enums), {
      Removal: ["delete", "retain", "verify"],
      CheckLevel: ["note", "off", "refuse", "warn"],
      Undeclared: ["ignore", "remove", "report"],
      ShareMode: ["r", "rw"],
    });
  });

  it("types a record as a line or as a spec with documented fields, and no input as an output of another type", () => {
    const { inputProperties } = schema.resources["legacydns:index:RecordBatch"] ?? {};
    const spec = "legacydns:index:RecordSpec";
    deepEqual(inputProperties?.["records"]?.items, {
      oneOf: [{ type: "string" }, { $ref: `#/types/${spec}` }],
    });
    const fields = Object.keys(schema.types[spec]?.properties ?? {});
    equal(fields.join(" "), "name type value ttl priority line");
    const typeOf = ({ description: _description, ...type }: PropertySpec): object => type;
    for (const { inputProperties: inputs, properties: outputs } of Object.values(schema.resources))
      for (const [name, output] of Object.entries(outputs)) {
        const input = inputs[name];
        // An enum is a text in the state.
        const isEnum = JSON.stringify(input?.oneOf ?? []).includes('{"type":"string"}');
        if (input !== undefined && !isEnum) deepEqual(typeOf(output), typeOf(input), name);
      }
  });

  it("has an example of each resource in each language, and an SDK its own", () => {
    const snake = (name: string): string => name.replace(/\B[A-Z]/g, "_$&").toLowerCase();
    for (const [token, { description }] of Object.entries(schema.resources)) {
      deepEqual(
        description.match(/(?<=^(?:## |```))\w+$/gm),
        ["Example", "typescript", "python", "go", "yaml", "Import", "sh"],
        token,
      );
      const name = nameOf(token);
      const camel = name.charAt(0).toLowerCase() + name.slice(1);
      for (const [file, language] of [
        [`python/pulumi_legacydns/${snake(name)}.py`, "python"],
        [`go/legacydns/${camel}.go`, "go"],
      ] as const) {
        const [, section = ""] = readFileSync(join(sdkFolder, file), "utf8").split("## Example");
        const [example = ""] = section.replace(/^ *(?:\*|\/\/) ?/gm, "").split("## Import");
        match(example.trim(), new RegExp(`^\`\`\`${language}\n[^]*legacydns\\.[^]*\`\`\`$`), file);
      }
    }
  });
});
