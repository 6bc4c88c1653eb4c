/** Zone files (RFC 1035 §5), read and written. */
export { positionText, type SourcePosition, type ZoneFileRecord, type ZoneFileResult } from "./findings";
export { marksIn } from "./marks";
export { readZoneFile, type Included, type ZoneFileOptions } from "./read";

export { writeZoneFile, type LiveRecord, type WriteOptions, type ZoneToWrite } from "./write";
