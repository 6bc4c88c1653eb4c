/** Reads the files of a conversion. An unreadable file is a problem of the conversion. */
import { readFileSync } from "node:fs";
import type { Conversion } from "./conversion";

/** The text of a file; undefined after a problem. */
export function textOfFile(file: string, conversion: Conversion): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "this is a folder; name the files in it"
          : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
            ? "this is no UTF-8 text"
            : "it could not be read";
    return conversion.fileError(file, why);
  }
}
