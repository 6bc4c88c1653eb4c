/**
 * Terraform's state, or the output of `terraform show -json`. A record is recognised by its attributes,
 * because the provider's name varies.
 */
import { count } from "../../provider/support/text";
import type { Conversion } from "./conversion";
import type { Part } from "./document";

export function convertTerraform(root: Part, conversion: Conversion): void {
  const [shown, state] = [root.textOf("format_version"), root.textOf("version")];
  if (Number.parseInt(shown ?? "", 10) > 1 || Number(state) > 4)
    return conversion.error(
      root.position,
      `version ${shown ?? state ?? ""} is newer than 1.x of \`terraform show -json\` and 4 of a state; update pulumi-legacydns`,
    );
  const resources = attributesIn(root);
  if (resources === undefined)
    return conversion.error(
      root.position,
      root.find("planned_values") === undefined
        ? "this is neither a state of Terraform nor what `terraform show -json` prints"
        : "this is a plan; run `terraform show -json` without a plan's file",
    );
  const domains = domainNames(resources);
  const records = resources.filter(isRecord);
  for (const record of records) readRecord(record, domains, conversion);
  const others = resources.length - records.length;
  if (others > 0)
    conversion.note(root.position, `left out: ${count(others, "resource")} of other kinds than records`);
}

function isRecord(part: Part): boolean {
  return (
    part.find("record_type") !== undefined &&
    (part.find("value") !== undefined || part.find("sub_domain") !== undefined)
  );
}

function attributesIn(root: Part): Part[] | undefined {
  const module = root.find("values")?.find("root_module");
  if (module !== undefined) return ofModule(module);
  if (root.find("planned_values") !== undefined) return undefined;
  // An empty state prints its version only.
  if (root.find("format_version") !== undefined) return [];
  if (root.find("version") === undefined || root.find("resources")?.items === undefined) return undefined;
  return managed(root)
    .flatMap((resource) => resource.find("instances")?.items ?? [])
    .flatMap((instance) => instance.find("attributes") ?? []);
}

function ofModule(module: Part): Part[] {
  const children = module.find("child_modules")?.items ?? [];
  return [
    ...managed(module).flatMap((resource) => resource.find("values") ?? []),
    ...children.flatMap((child) => ofModule(child)),
  ];
}

function managed(part: Part): Part[] {
  return (part.find("resources")?.items ?? []).filter((resource) => resource.textOf("mode") !== "data");
}

function domainNames(resources: readonly Part[]): Map<string, string> {
  return new Map(
    resources.flatMap((part) => {
      const [name, id] = [part.textOf("domain"), part.textOf("domain_id") ?? part.textOf("id")];
      const isDomain = name !== undefined && id !== undefined && part.find("record_type") === undefined;
      return isDomain ? [[id, name] as const] : [];
    }),
  );
}

function readRecord(part: Part, domains: ReadonlyMap<string, string>, conversion: Conversion): void {
  const at = part.position;
  const name = part.textOf("sub_domain") ?? "@";
  const [type, value] = [part.textOf("record_type") ?? "", part.textOf("value")];
  const label = `${name} ${type}`;
  const id = part.textOf("domain_id") ?? "";
  const owner = part.textOf("domain") ?? domains.get(id);
  if (owner === undefined)
    return conversion.error(
      at,
      `${label}: the state has no domain with the id ${id || "(none)"}; print both together`,
    );
  const domain = conversion.zone(owner, at);
  if (domain === undefined) return;
  if (value === undefined) return conversion.error(at, `${label}: the record has no value`);
  const enabled = part.find("enabled")?.scalar?.text;
  if (/^(disabled?|pause)$/i.test(part.textOf("status") ?? "") || enabled === "False" || enabled === "0")
    return conversion.note(at, `${label}: left out, since it is switched off`);
  if (Number(part.textOf("weight") ?? 0) > 0) conversion.note(at, `${label}: its weight is not converted`);
  const [line, mx] = [part.textOf("record_line") ?? "", part.textOf("mx")];
  const hasPriority = type === "MX" || (type === "SRV" && value.trim().split(/\s+/).length === 3);
  if (hasPriority && mx === undefined) return conversion.error(at, `${label}: the record has no mx`);
  conversion.add(domain, {
    ...{ name, type, value, ttl: part.textOf("ttl"), position: at },
    ...(hasPriority ? { priority: Number(mx) } : {}),
    ...(line === "" ? {} : { line }),
  });
}
