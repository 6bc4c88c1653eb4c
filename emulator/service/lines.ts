/**
 * The resolution lines (service-notes.md, Records: the default line is `默认`
 * with id `0`, `default` on an English account; other ids look like `10=0`).
 */
import type { Domain } from "./model";
import type { Purview } from "./purview";

export interface Line {
  readonly id: string;
  readonly name: string;
  /** Which yes/no flag of the purview a domain needs for it. */
  readonly needs: "enhanced" | "province" | "continent" | null;
}

type Row = readonly [id: string, chinese: string, english: string, needs?: Line["needs"]];

const catalogue: readonly Row[] = [
  ["0", "默认", "default"],
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

/** All lines a domain knows: the catalogue and its own custom lines. */
export function linesOf(domain: Pick<Domain, "customLines">, names: "chinese" | "english"): readonly Line[] {
  const known = catalogue.map(([id, chinese, english, needs]): Line => ({
    id,
    name: names === "chinese" ? chinese : english,
    needs: needs ?? null,
  }));
  const custom = domain.customLines.map((line, index): Line => ({ id: `100=${index}`, name: line.name, needs: null }));
  return [...known, ...custom];
}

/** Has the plan this line? */
export function allowsLine(purview: Purview, line: Line): boolean {
  if (line.needs === "enhanced") return purview.enhancedLines;
  if (line.needs === "province") return purview.provinceLines;
  return line.needs === "continent" ? purview.continentLines : true;
}

/** The default line's name. */
export function defaultLine(names: "chinese" | "english"): string {
  return names === "chinese" ? "默认" : "default";
}
