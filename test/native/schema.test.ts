/** The schema and the SDKs in the repository are those of the declarations. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { makeSchema, schemaText } from "../../scripts/plugin/schema";
import { fingerprint, fingerprintFile, schemaFile } from "../../scripts/plugin/sdks";
import { settingNames } from "../../provider/settings";
import { lookUps } from "../../provider/lookups";

interface Described {
  readonly config: { readonly variables: Readonly<Record<string, { readonly secret?: boolean }>> };
  readonly resources: Readonly<Record<string, { readonly inputProperties: object; readonly description: string }>>;
  readonly functions: Readonly<Record<string, { readonly inputs: { readonly properties: object } }>>;
}

describe("the plugin's schema", () => {
  const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as Described;

  it("is what the TypeScript declarations say: `npm run schema` writes it anew", () => {
    assert.equal(readFileSync(schemaFile, "utf8"), schemaText(makeSchema()));
  });

  it("has every setting, of which the token alone is secret, and every look-up with its arguments", () => {
    assert.deepEqual(Object.keys(schema.config.variables).sort(), [...settingNames].sort());
    assert.deepEqual(Object.entries(schema.config.variables).flatMap(([name, { secret }]) => (secret === true ? [name] : [])), ["loginToken"]);
    assert.deepEqual(
      Object.entries(schema.functions).map(([token, { inputs }]) => [token, Object.keys(inputs.properties)]).sort(),
      lookUps.map(({ name, arguments: names }) => [`legacydns:index:${name}`, [...names]]).sort(),
    );
    for (const { description } of Object.values(schema.resources)) assert.match(description, /## Example[^]*## Import/);
  });

  it("is what the SDKs were made from, and nobody has edited them: `npm run sdk` makes them anew", () => {
    assert.equal(readFileSync(fingerprintFile, "utf8"), fingerprint());
  });
});
