/**
 * The output of `terraform show -json`. A record is recognised by its attributes, because the provider's
 * name varies.
 */
import { count } from "../../provider/support/text";
import type { Conversion } from "./conversion";
import type { Part } from "./document";

export function convertTerraform(root: Part, conversion: Conversion): void {
  const version = root.textOf("format_version");
  if (version === undefined || Number.parseInt(version, 10) > 1 || root.find("planned_values") !== undefined)
    return conversion.error(
      root.position,
      "this is not a state in version 1.x of `terraform show -json`; print it without a plan's file",
    );
  // An empty state prints its version only.
  const resources = attributesIn(root.find("values")?.find("root_module"));
  const domains = new Map(
    resources.flatMap((part) => {
      const [name, id] = [part.textOf("domain"), part.textOf("domain_id") ?? part.textOf("id")];
      const isDomain = name !== undefined && id !== undefined && part.find("record_type") === undefined;
      return isDomain ? [[id, name] as const] : [];
    }),
  );
  const records = resources.filter(
    (part) => part.find("record_type") && (part.find("value") ?? part.find("sub_domain")),
  );
  for (const record of records) readRecord(record, domains, conversion);
  const others = resources.length - records.length;
  if (others > 0)
    conversion.note(root.position, `left out: ${count(others, "resource")} of other kinds than records`);
}

function attributesIn(module: Part | undefined): Part[] {
  const managed = (module?.find("resources")?.items ?? []).filter((each) => each.textOf("mode") !== "data");
  return [
    ...managed.flatMap((resource) => resource.find("values") ?? []),
    ...(module?.find("child_modules")?.items ?? []).flatMap(attributesIn),
  ];
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
  const enabled = part.find("enabled")?.value;
  if (/^(disabled?|pause)$/i.test(part.textOf("status") ?? "") || enabled === false || enabled === 0)
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
