/** Zone files: master files and YAML, read and written. */
export {
  positionText,
  type SourcePosition,
  type ZoneFileProblem,
  type ZoneFileRecord,
  type ZoneFileResult,
} from "./findings";
export { readZoneFile, type Included, type ZoneFileOptions } from "./read";

export { writeZoneFile, type LiveRecord, type WriteOptions, type ZoneToWrite } from "./write";
export { writeYamlZone } from "./write-yaml";
export { readYamlZone, type YamlZoneOptions } from "./yaml";
