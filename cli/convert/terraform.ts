/**
 * Terraform's state: a file, or the output of `terraform show -json`. A record is recognised by its
 * attributes (`domain` or `domain_id`, `sub_domain`, `record_type`, `value`), because the provider's name
 * varies.
 */
import type { Conversion } from "./conversion";
import type { Part } from "./part";

export const terraformTtl = 600;

export function convertTerraform(root: Part, conversion: Conversion): void {
  const version = root.find("format_version")?.text() ?? root.find("version")?.text() ?? "";
  if (/^[2-9]\.|^\d\d/.test(version) || (/^\d$/.test(version) && Number(version) > 4))
    return conversion.error(
      root.position,
      `version ${version} is newer than those that are read, 1.x of \`terraform show -json\` and 4 of a state; update pulumi-legacydns, or report it`,
    );
  const found = attributesIn(root);
  if (found === undefined) {
    const plan = root.find("planned_values") !== undefined || root.find("resource_changes") !== undefined;
    const problem = plan
      ? "this is a plan, which does not hold what is live; run `terraform show -json` without a plan's file"
      : "this is neither a state of Terraform nor what `terraform show -json` prints";
    return conversion.error(root.position, problem);
  }
  const domains = domainIds(found);
  let others = 0;
  for (const part of found) {
    if (
      part.find("record_type") !== undefined &&
      (part.find("value") !== undefined || part.find("sub_domain") !== undefined)
    )
      readRecord(part, domains, conversion);
    else others += 1;
  }
  if (others > 0)
    conversion.note(
      root.position,
      `${others} ${others === 1 ? "resource that is" : "resources that are"} no record of the service ${others === 1 ? "is" : "are"} left out`,
    );
}

function attributesIn(root: Part): Part[] | undefined {
  const modules = root.find("values")?.find("root_module");
  if (modules !== undefined) return ofModule(modules);
  // An empty state prints its version only.
  if (root.find("format_version") !== undefined && root.find("planned_values") === undefined) return [];
  const resources = root.find("version") === undefined ? undefined : root.find("resources")?.items();
  return resources
    ?.filter((resource) => resource.find("mode")?.text() !== "data")
    .flatMap((resource) => resource.find("instances")?.items() ?? [])
    .flatMap((instance) => instance.find("attributes") ?? []);
}

function ofModule(module: Part): Part[] {
  const own = (module.find("resources")?.items() ?? [])
    .filter((resource) => resource.find("mode")?.text() !== "data")
    .flatMap((resource) => resource.find("values") ?? []);
  return [...own, ...(module.find("child_modules")?.items() ?? []).flatMap((child) => ofModule(child))];
}

function domainIds(parts: readonly Part[]): Map<string, string> {
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const [name, id] = [
        part.find("domain")?.text(),
        part.find("domain_id")?.text() ?? part.find("id")?.text(),
      ];
      return name === undefined || id === undefined || part.find("record_type") !== undefined
        ? []
        : [[id, name]];
    }),
  );
}

function readRecord(part: Part, domains: ReadonlyMap<string, string>, conversion: Conversion): void {
  const at = part.position;
  const text = (name: string): string | undefined => part.find(name)?.text();
  const [name, type, value] = [text("sub_domain") ?? "@", text("record_type"), text("value")];
  const owner = text("domain") ?? domains.get(text("domain_id") ?? "");
  if (owner === undefined)
    return conversion.error(
      at,
      `${name} ${type ?? ""}: the record names its domain by the id ${text("domain_id") ?? "(none)"}, and the state has no resource of that domain; print the state of both together`,
    );
  const domain = conversion.zone(owner, at);
  if (domain === undefined) return undefined;
  if (type === undefined || value === undefined)
    return conversion.error(at, `${name}: the record has no ${type === undefined ? "record_type" : "value"}`);
  const enabled = part.find("enabled")?.scalar()?.text;
  if (/^(disabled?|pause)$/i.test(text("status") ?? "") || enabled === "False" || enabled === "0") {
    return conversion.note(at, `${name} ${type}: left out, since it is switched off`);
  }
  if (Number(text("weight") ?? "0") > 0)
    conversion.note(at, `${name} ${type}: its weight is not converted, and stays as it is`);
  const line = text("record_line");
  const hasPriority = type === "MX" || (type === "SRV" && value.trim().split(/\s+/).length === 3);
  const mx = text("mx");
  if (hasPriority && mx === undefined) return conversion.error(at, `${name} ${type}: the record has no mx`);
  const priority = hasPriority ? Number(mx) : undefined;
  return void conversion.add(domain, {
    ...{ name, type, value, ttl: part.find("ttl")?.text(), position: at },
    ...(priority === undefined ? {} : { priority }),
    ...(line === undefined || line === "" ? {} : { line }),
  });
}
