// The house rules that one file shows, such as the imports that each folder may have (docs/structure.md).
// .oxlintrc.json has the rules that need types or other files.
import { basename } from "node:path";
import { builtinRules } from "eslint/use-at-your-own-risk";
import tseslint from "typescript-eslint";

/** The folders of provider/ that each of its folders may import, beside itself. */
const allowed = {
  support: ["problems", "settings"],
  problems: ["support"],
  dns: ["support", "problems"],
  api: ["support", "problems", "settings"],
  reconcile: ["support", "problems", "settings", "dns", "api"],
  lifecycle: ["support", "problems", "settings", "dns", "api", "reconcile"],
  functions: ["support", "problems", "settings", "dns", "api", "lifecycle", "resources"],
  resources: ["support", "problems", "settings", "dns", "lifecycle", "functions"],
  "frontends/dynamic": ["support", "problems", "settings", "lifecycle", "functions"],
  "frontends/native": [
    "support",
    "problems",
    "settings",
    "dns",
    "api",
    "lifecycle",
    "functions",
    "reconcile",
    // The claims and the zone files. Its other modules load the SDK, and the plugin does not.
    "resources",
  ],
};
const outside = ["emulator", "cli", "tools"];
const no = (folder, others, message = "imports point one way; see docs/structure.md") => ({
  files: [`${folder}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: [{ regex: `^(\\.\\./)+(provider/)?(frontends/)?(${others.join("|")})(/|$)`, message }] },
    ],
  },
});
const folders = [...Object.keys(allowed), "settings"];
const imports = [
  no("emulator", ["provider/.*", "cli", "tools"], "the emulator is an independent witness"),
  no("provider", outside),
  ...Object.entries(allowed).map(([folder, names]) =>
    no(`provider/${folder}`, [
      ...outside,
      ...folders.filter((name) => name !== folder && !names.includes(name)).map((name) => basename(name)),
    ]),
  ),
];

/**
 * The core rule `max-lines-per-function` for tests. The callback of a `describe` is a block of tests and no
 * function: it grows with each test, as a file does, and `max-lines` limits it. All other functions count.
 */
const coreLimit = builtinRules.get("max-lines-per-function");
const isDescribe = ({ parent }) => parent.type === "CallExpression" && parent.callee.name === "describe";
const testLimit = {
  ...coreLimit,
  create(context) {
    const report = (problem) => isDescribe(problem.node) || context.report(problem);
    return coreLimit.create(Object.create(context, { report: { value: report } }));
  },
};

export default tseslint.config(
  { ignores: ["dist/", "sdk/", "node_modules/", "**/.work/", "examples/*/node_modules/", "templates/"] },
  ...tseslint.configs.strict,
  {
    files: ["**/*.ts"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/unified-signatures": "off",
      "@typescript-eslint/no-extraneous-class": "off",
      // A name for a type that follows from a table.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      eqeqeq: "error",
    },
  },
  {
    files: ["provider/**/*.ts", "cli/**/*.ts", "emulator/**/*.ts", "tools/**/*.ts"],
    rules: {
      "max-lines": ["error", 350],
      "max-lines-per-function": ["error", 50],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(push|unshift|splice|concat|max|min|fromCharCode|fromCodePoint)$/] > SpreadElement",
          message:
            "a call takes about 120,000 arguments at most: use append or largest (provider/support/collections.ts), or a loop",
        },
        {
          selector: "ImportExpression[source.value=/^\\./]",
          message: "the check of import cycles does not follow import()",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    plugins: { house: { rules: { "max-lines-per-function": testLimit } } },
    rules: { "max-lines": ["error", 350], "house/max-lines-per-function": ["error", 40] },
  },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  {
    files: ["provider/**/*.ts"],
    ignores: ["provider/support/reporter.ts"],
    rules: { "no-console": "error" },
  },
  ...imports,
);
