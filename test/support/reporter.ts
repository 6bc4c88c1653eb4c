import type { Reporter } from "../../provider/support/reporter";

interface ReportLine {
  readonly level: "info" | "warn" | "progress" | "error";
  readonly text: string;
}

export interface CollectingReporter extends Reporter {
  readonly lines: readonly ReportLine[];
}

export function collectingReporter(): CollectingReporter {
  const lines: ReportLine[] = [];
  const keep = (level: ReportLine["level"]) => (text: string) => void lines.push({ level, text });
  return { lines, info: keep("info"), warn: keep("warn"), progress: keep("progress"), error: keep("error") };
}
