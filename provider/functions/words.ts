/**
 * The service's words in plain English (api.md, Enumeration grade, States and transitions, Other
 * enumerations).
 */
import { packageName } from "../dns";

const STATUS: Readonly<Record<string, string>> = {
  enable: "normal: the domain's records are served",
  pause: "resolution is paused: the domain's records are not served",
  spam: "banned by the service: its support can lift the ban",
  lock: "locked: nothing can be changed until it is unlocked in the service's console",
};

const EXT_STATUS: Readonly<Record<string, string>> = {
  "": "normal",
  notexist: "the domain is not registered",
  dnserror: "the DNS setup is wrong: the domain is not delegated to the service's name servers",
};

const MONITOR: Readonly<Record<string, string>> = {
  ok: "the server answers normally",
  warn: "alarm: the server answers with 4XX",
  down: "the server is down",
};

const JOB: Readonly<Record<string, string>> = {
  domain: "domains added in a batch",
  record_add: "records added in a batch",
  record_modify: "records modified in a batch",
};

const lookedUp = (words: Readonly<Record<string, string>>, word: string): string =>
  (Object.hasOwn(words, word) ? words[word] : undefined) ??
  `${JSON.stringify(word)}, which the documentation does not explain`;

export const statusMeaning = (status: string): string => lookedUp(STATUS, status);
export const extStatusMeaning = (extStatus: string): string => lookedUp(EXT_STATUS, extStatus);
export const gradeMeaning = (grade: string): string => {
  const name = packageName(grade);
  if (name === grade) return lookedUp({}, grade);
  return grade.startsWith("D_") ? `${name}, an old package` : name;
};
/** @param status undefined if the record is not monitored */
export const monitorMeaning = (status: string | undefined): string =>
  status === undefined ? "not monitored" : lookedUp(MONITOR, status);
export const jobMeaning = (type: string): string => lookedUp(JOB, type);
