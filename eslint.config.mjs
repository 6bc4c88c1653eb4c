// The house rules that a machine can hold: types, and the directions in which the rooms may import (docs/structure.md).
import tseslint from "typescript-eslint";

/** No import of these rooms, from any depth of a room of provider/. */
const noRooms = (rooms, why) => ({
  "no-restricted-imports": [
    "error",
    { patterns: [{ regex: `^\\.\\.?/(.*/)?(${rooms.join("|")})(/|$)`, message: why }] },
  ],
});
const oneWay =
  "imports point one way: resources, functions → lifecycle → reconcile → dns, api; see docs/structure.md";

export default tseslint.config(
  { ignores: ["dist/", "sdk/", "node_modules/", "**/.work/", "examples/*/node_modules/", "templates/"] },
  ...tseslint.configs.strict,
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/unified-signatures": "off",
      "@typescript-eslint/no-extraneous-class": "off",
      // A name for a type that follows from a table.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      eqeqeq: "error",
    },
  },
  {
    files: [
      "provider/**/*.ts",
      "cli/**/*.ts",
      "native/**/*.ts",
      "emulator/**/*.ts",
      "scripts/**/*.ts",
      "bench/**/*.ts",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(push|unshift|splice|concat|max|min|fromCharCode|fromCodePoint)$/] > SpreadElement",
          message:
            "a call takes about 120,000 arguments at most: use append or largest (provider/gather.ts), or a loop",
        },
      ],
    },
  },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  { files: ["provider/**/*.ts"], ignores: ["provider/report.ts"], rules: { "no-console": "error" } },
  {
    files: ["emulator/**/*.ts"],
    rules: noRooms(["provider", "cli", "scripts"], "the emulator is an independent witness"),
  },
  {
    files: ["provider/*.ts"],
    rules: noRooms(["emulator", "cli", "scripts"], "the provider never imports the emulator"),
  },
  {
    files: ["provider/problems/**/*.ts"],
    rules: noRooms(
      [
        "emulator",
        "cli",
        "api",
        "dns",
        "reconcile",
        "lifecycle",
        "resources",
        "functions",
        "settings",
        "report",
        "clock",
      ],
      "the table of problems imports only support/",
    ),
  },
  {
    files: ["provider/dns/**/*.ts"],
    rules: noRooms(
      [
        "emulator",
        "cli",
        "api",
        "reconcile",
        "lifecycle",
        "resources",
        "functions",
        "settings",
        "report",
        "clock",
      ],
      oneWay,
    ),
  },
  {
    files: ["provider/api/**/*.ts"],
    rules: noRooms(["emulator", "cli", "reconcile", "lifecycle", "resources", "functions"], oneWay),
  },
  {
    files: ["provider/reconcile/**/*.ts"],
    rules: noRooms(["emulator", "cli", "lifecycle", "resources", "functions"], oneWay),
  },
  {
    files: ["provider/lifecycle/**/*.ts"],
    rules: noRooms(["emulator", "cli", "resources", "functions", "dynamic", "native"], oneWay),
  },
  {
    files: ["provider/dynamic/**/*.ts", "native/**/*.ts"],
    rules: noRooms(["emulator", "cli", "resources"], "a front end imports lifecycle/ and the look-ups only"),
  },
  {
    files: ["provider/resources/**/*.ts", "provider/functions/**/*.ts"],
    rules: noRooms(["emulator", "cli", "reconcile"], oneWay),
  },
);
