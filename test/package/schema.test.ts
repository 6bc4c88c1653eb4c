/** The schema and the SDKs in the repository are those of the declarations. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { makeSchema, schemaText } from "../../scripts/plugin/schema";
import { fingerprint, fingerprintFile, schemaFile, sdkFolder } from "../../scripts/plugin/sdks";
import { parseSettings, settingNames, settingRows, SettingsError } from "../../provider/settings";
import { lookUps } from "../../provider/functions/table";

type Properties = Readonly<
  Record<
    string,
    { readonly description?: string; readonly items?: object; readonly oneOf?: readonly object[] }
  >
>;

interface Described {
  readonly config: {
    readonly variables: Readonly<
      Record<string, { readonly secret?: boolean; readonly type?: string; readonly description: string }>
    >;
  };
  readonly provider: { readonly inputProperties: Properties };
  readonly types: Readonly<
    Record<
      string,
      {
        readonly properties?: Properties;
        readonly enum?: readonly { readonly value: string }[];
        readonly description?: string;
      }
    >
  >;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly properties: Properties;
        readonly inputProperties: Properties;
        readonly requiredInputs: readonly string[];
        readonly description: string;
      }
    >
  >;
  readonly functions: Readonly<
    Record<
      string,
      {
        readonly inputs: { readonly properties: Properties };
        readonly outputs: { readonly properties: Properties };
        readonly description?: string;
      }
    >
  >;
}

describe("the plugin's schema", () => {
  const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as Described;

  it("equals the TypeScript declarations: `npm run schema` writes it", () => {
    assert.equal(readFileSync(schemaFile, "utf8"), schemaText(makeSchema()));
  });

  it("describes each resource, look-up, type and property for editors", () => {
    const silent = (path: string, properties: Properties): string[] =>
      Object.entries(properties)
        .filter(
          ([, { description = "" }]) =>
            !/^[`*\w].*\w.*[.:]/s.test(description) || /^It must/.test(description),
        )
        .map(([name]) => `${path}.${name}`);
    const things = { ...schema.resources, ...schema.types, ...schema.functions };
    assert.deepEqual(
      Object.entries(things)
        .filter(([, { description = "" }]) => description.length < 10)
        .map(([token]) => token),
      [],
    );
    assert.deepEqual(
      [
        ...silent("config", schema.config.variables),
        ...silent("provider", schema.provider.inputProperties),
        ...Object.entries(schema.resources).flatMap(([token, { properties, inputProperties }]) => [
          ...silent(token, properties),
          ...silent(`${token} input`, inputProperties),
        ]),
        ...Object.entries(schema.types).flatMap(([token, { properties = {} }]) => silent(token, properties)),
        ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
          ...silent(`${token} argument`, inputs.properties),
          ...silent(`${token} result`, outputs.properties),
        ]),
      ],
      [],
    );
  });

  it("has every setting, of which the token alone is secret, and every look-up with its arguments", () => {
    assert.deepEqual(
      Object.keys(schema.config.variables).sort(),
      settingNames.filter((name) => name !== "usePlugin").sort(),
    );
    assert.deepEqual(
      Object.entries(schema.config.variables).flatMap(([name, { secret }]) =>
        secret === true ? [name] : [],
      ),
      ["loginToken"],
    );
    assert.deepEqual(
      Object.entries(schema.functions)
        .map(([token, { inputs }]) => [token, Object.keys(inputs.properties)])
        .sort(),
      lookUps.map(({ name, arguments: names }) => [`legacydns:index:${name}`, [...names]]).sort(),
    );
    for (const { description } of Object.values(schema.resources))
      assert.match(description, /## Example[^]*## Import/);
  });

  it("has the types of the settings' own declarations", () => {
    /** Whether the settings take a text for one of them. */
    const takes = (name: string, text: string): boolean => {
      const config = {
        "legacydns:baseUrl": "https://dns.example",
        "legacydns:loginToken": "1,t0ken-value",
        [`legacydns:${name}`]: text,
      };
      try {
        parseSettings({ config, env: {}, explicit: false });
        return true;
      } catch (error) {
        if (error instanceof SettingsError) return !error.problems.some(({ setting }) => setting === name);
        throw error;
      }
    };
    const kinds = { integer: ["100", "1.5"], number: ["1.5", "many"], boolean: ["true", "1"] } as const;
    for (const [name, { type = "", description }] of Object.entries(schema.config.variables)) {
      const rule = settingRows.find((row) => row.name === name);
      assert.ok(rule !== undefined, name);
      if (["baseUrl", "loginToken", "loginTokenEnv", "stateDir"].includes(name)) continue;
      assert.ok(
        description.includes(`It ${rule.rule}.`) &&
          (rule.fallback === "" || description.includes(`Default: \`${rule.fallback}\``)),
        name,
      );
      if (type === "integer" || type === "number" || type === "boolean") {
        const [good, bad] = kinds[type];
        assert.deepEqual([takes(name, good), takes(name, bad)], [true, false], `${name} is of type ${type}`);
      } else {
        assert.equal(type, "string", name);
        // A rule that names its words takes each of them.
        const words =
          /^must be ([a-z ]+(?:, [a-z ]+)* or [a-z ]+)$/.exec(rule.rule)?.[1]?.split(/, | or /) ?? [];
        for (const word of words) assert.ok(word === "delete" || takes(name, word), `${name}: ${word}`);
      }
    }
  });

  it("lists the words of removal, undeclared, mode and checks as enums", () => {
    const enums = Object.entries(schema.types).flatMap(([token, { enum: words }]) =>
      words === undefined ? [] : [[token.replace(/.*:/, ""), words.map(({ value }) => value)]],
    );
    assert.deepEqual(Object.fromEntries(enums), {
      Removal: ["delete", "retain", "verify"],
      CheckLevel: ["note", "off", "refuse", "warn"],
      Undeclared: ["ignore", "remove", "report"],
      ShareMode: ["r", "rw"],
    });
  });

  it("types a record as a line or as a spec with documented fields, and no input as an output of another type", () => {
    const { inputProperties, properties } = schema.resources["legacydns:index:RecordBatch"] ?? {};
    const spec = "legacydns:index:RecordSpec";
    assert.deepEqual(inputProperties?.["records"]?.items, {
      oneOf: [{ type: "string" }, { $ref: `#/types/${spec}` }],
    });
    assert.deepEqual(Object.keys(schema.types[spec]?.properties ?? {}), [
      "name",
      "type",
      "value",
      "ttl",
      "priority",
      "line",
    ]);
    assert.ok(properties !== undefined && "zoneText" in properties);
    const typeOf = ({ description: _description, ...type }: object & { description?: string }): object =>
      type;
    for (const { inputProperties: inputs, properties: outputs } of Object.values(schema.resources))
      for (const [name, output] of Object.entries(outputs)) {
        const input = inputs[name];
        // An enum is a text in the state.
        const isEnum = JSON.stringify(input?.oneOf ?? []).includes('{"type":"string"}');
        if (input !== undefined && !isEnum) assert.deepEqual(typeOf(output), typeOf(input), name);
      }
  });

  it("has every type and property of the example in YAML", () => {
    const { resources } = parse(readFileSync(join(__dirname, "../../examples/yaml/Pulumi.yaml"), "utf8")) as {
      resources: Record<string, { type: string; properties: object }>;
    };
    for (const { type, properties } of Object.values(resources)) {
      const declared = schema.resources[type.replace(":", ":index:")];
      assert.ok(declared !== undefined, type);
      const names = Object.keys(properties);
      assert.deepEqual(
        names.filter((name) => !(name in declared.inputProperties)),
        [],
        type,
      );
      assert.deepEqual(
        declared.requiredInputs.filter((name) => !names.includes(name)),
        [],
        type,
      );
    }
  });

  it("has an example of each resource in each language, and an SDK its own", () => {
    const snake = (name: string): string => name.replace(/\B[A-Z]/g, "_$&").toLowerCase();
    for (const [token, { description }] of Object.entries(schema.resources)) {
      assert.deepEqual(
        description.match(/(?<=^```)\w+$/gm),
        ["typescript", "python", "go", "yaml", "sh"],
        token,
      );
      const name = token.replace(/.*:/, "");
      const camel = name.charAt(0).toLowerCase() + name.slice(1);
      for (const [file, language] of [
        [`python/pulumi_legacydns/${snake(name)}.py`, "python"],
        [`go/legacydns/${camel}.go`, "go"],
      ] as const) {
        const [, section = ""] = readFileSync(join(sdkFolder, file), "utf8").split("## Example");
        const [example = ""] = section.replace(/^ *(?:\*|\/\/) ?/gm, "").split("## Import");
        assert.match(example.trim(), new RegExp(`^\`\`\`${language}\n[^]*legacydns\\.[^]*\`\`\`$`), file);
      }
    }
  });

  it("is the source of the unedited SDKs: `npm run sdk` makes them", () => {
    assert.equal(readFileSync(fingerprintFile, "utf8"), fingerprint());
  });
});
