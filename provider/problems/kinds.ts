/** How the table's entries are written. */

/** An entry that warns; every other one is an error. The zone checks warn, unless the setting `checks` refuses them. */
export function warning<Render extends (parts: never) => string>(
  render: Render,
): Render & { readonly severity: "warning" } {
  return Object.assign(render, { severity: "warning" } as const);
}

/** `did you mean www?`, or what there is where nothing is near. */
export function meant(guess: string | undefined, otherwise: string): string {
  return guess === undefined ? otherwise : `did you mean ${guess}?`;
}
