/** Options of resources. */

export const inputs = {
  "checks.unfit": [
    "<given> is no level of a check",
    'write note, warn, refuse or off, or levels by code: "warn, mx-cname=refuse"',
  ],
  "option.not-allowed": [
    "<given> needs the service's undocumented operations",
    "allow them: <allow>",
    "or write <instead>",
  ],
  "share.none": [
    "<domain> is shared with nobody, and the documented API cannot create a share",
    "share it with <email> in the service's console, then run `pulumi up` again",
  ],
  "records.rewritten": ["a transform has edited secret records as text", "set `records` to specs or lines"],
  "import.option": [
    "a dynamic provider imports nothing by its id",
    "take it out: declaring <what> that is live adopts it",
  ],
} as const;
