/** Host labels (service-notes.md: 22 bad label, 23 and 24 levels; api.md, Domain.Purview). */
import type { Purview } from "./purview";

export interface Verdict {
  readonly code: string;
  readonly message: string;
}

export function hostLabel(text: string): string {
  const label = text.trim().toLowerCase();
  return label === "" ? "@" : label;
}

const oneLabel = /^(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)$/u;

export function judgeLabel(name: string, domain: string, purview: Purview): Verdict | null {
  if (name === "@") return null;
  const labels = name.split(".");
  const bad = { code: "22", message: `Host label ${name} is not valid` };
  if (`${name}.${domain}`.length > 253) return bad;
  const wild = name.includes("*");
  for (const [index, label] of labels.entries()) {
    if (label === "*") {
      if (index > 0) return bad;
    } else if (label.includes("*")) {
      if (index > 0) return bad;
      if (!purview.mixedWildcards)
        return { code: "22", message: "The package does not support mixed wildcards" };
      if (!oneLabel.test(label.replace("*", "x"))) return bad;
    } else if (!oneLabel.test(label)) return bad;
  }
  if (wild && labels.length > purview.wildcardLevels) {
    return { code: "24", message: "Wildcard levels exceed the limit" };
  }
  if (!wild && labels.length > purview.subdomainLevels) {
    return { code: "23", message: "Subdomain levels exceed the limit" };
  }
  return null;
}
