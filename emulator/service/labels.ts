/** Host labels (service-notes.md: 22 bad label, 23 and 24 levels; api.md, Domain.Purview). */
import { Refusal } from "./envelope";
import type { Domain } from "./model";

export function hostLabel(text: string): string {
  const label = text.trim().toLowerCase();
  return label === "" ? "@" : label;
}

const oneLabel = /^(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)$/u;

/** @throws Refusal */
export function checkLabel(name: string, { name: domain, purview }: Domain): void {
  if (name === "@") return;
  const labels = name.split(".");
  const isWild = name.includes("*");
  for (const [index, label] of labels.entries()) {
    if (label === "*" && index === 0) continue;
    const isMixed = label.includes("*") && label !== "*" && index === 0;
    if (isMixed && !purview.mixedWildcards)
      throw new Refusal("22", "The package does not support mixed wildcards");
    if (!oneLabel.test(isMixed ? label.replace("*", "x") : label) || `${name}.${domain}`.length > 253)
      throw new Refusal("22", `Host label ${name} is not valid`);
  }
  if (isWild && labels.length > purview.wildcardLevels)
    throw new Refusal("24", "Wildcard levels exceed the limit");
  if (!isWild && labels.length > purview.subdomainLevels)
    throw new Refusal("23", "Subdomain levels exceed the limit");
}
