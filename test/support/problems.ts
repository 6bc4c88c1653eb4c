import type { Problem } from "../../provider/problems";

export function problemLine({ path, of = "", code, parts, records = [] }: Problem): string {
  const data = [of, code, ...Object.values({ ...parts }), ...records.map(({ text }) => text)];
  const text = data.filter((part) => part !== "").join(" ");
  return path === "" ? text : `${path}: ${text}`;
}
