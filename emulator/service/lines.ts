/** Lines (service-notes.md, Records and English account). */
import type { Domain, World } from "./model";
import type { Purview } from "./purview";
import type { SettingsInput } from "./settings";

export interface Line {
  readonly id: string;
  readonly name: string;
  readonly needs: "enhanced" | "province" | "continent" | null;
}

type Row = readonly [id: string, chinese: string, english: string, needs?: Line["needs"]];

const catalogue: readonly Row[] = [
  ["0", "默认", "Default"],
  ["7=0", "国内", "China"],
  ["3=0", "国外", "Overseas"],
  ["10=0", "电信", "China Telecom"],
  ["10=1", "联通", "China Unicom"],
  ["10=2", "教育网", "CERNET"],
  ["10=3", "移动", "China Mobile"],
  ["80=0", "搜索引擎", "Search engines"],
  ["90=0", "百度", "Search engine 1", "enhanced"],
  ["90=1", "谷歌", "Search engine 2", "enhanced"],
  ["10=20", "广东电信", "Guangdong Telecom", "province"],
  ["10=21", "北京联通", "Beijing Unicom", "province"],
  ["3=2", "亚洲", "Asia", "continent"],
  ["3=3", "欧洲", "Europe", "continent"],
];

type Named = Pick<SettingsInput, "answers">;

export function linesOf(domain: Pick<Domain, "customLines">, { answers }: Named): readonly Line[] {
  const known = catalogue.map(([id, inChinese, inEnglish, needs]): Line => ({
    id,
    name: answers === "english" ? inEnglish : inChinese,
    needs: needs ?? null,
  }));
  const custom = domain.customLines.map((line, index): Line => ({
    id: `100=${index}`,
    name: line.name,
    needs: null,
  }));
  return [...known, ...custom];
}

export function lineNamed(lines: readonly Line[], name: string | undefined): Line | undefined {
  const exact = lines.find((line) => line.name === name);
  return exact ?? (name === "default" ? lines.find((line) => line.name === "Default") : undefined);
}

export function allowsLine(purview: Purview, line: Line): boolean {
  if (line.needs === "enhanced") return purview.enhancedLines;
  if (line.needs === "province") return purview.provinceLines;
  return line.needs === "continent" ? purview.continentLines : true;
}

export function defaultLine({ answers }: Named): string {
  return answers === "english" ? "Default" : "默认";
}

export function renameLines(world: World): void {
  for (const domain of world.domains.values()) {
    const names = new Map(linesOf(domain, world.settings).map(({ id, name }) => [id, name]));
    for (const record of [...domain.records.values(), ...domain.index.values()]) {
      for (const version of [record, ...record.earlier])
        version.lineName = names.get(version.lineId) ?? version.lineName;
    }
  }
}
