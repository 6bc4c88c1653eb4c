/** Errors of the command line. */
import { warning } from "./kinds";

const elsewhere = "write another file: --out";

export const commands = {
  "command.usage": ["<detail>", "<hint>", "<command> --help"],
  "command.token": [
    "an argument cannot be the token, because other users can see it",
    "export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN",
  ],
  "command.defect": ["<detail>", "report this defect with the command and its output; nothing was written"],
  "output.exists": ["<path> already exists", "overwrite it: --force", elsewhere],
  "output.unwritable": ["<path> cannot be written: <detail>", elsewhere],
  "state.unfit": ["<path> is not the state of <what>", "make one: <make>"],
  "state.empty": ["the state has no such records", "choose the stack: --stack NAME", "run `pulumi up` first"],
  "engine.missing": ["pulumi is not on the PATH", "install it: https://www.pulumi.com/docs/install/"],
  "engine.failed": [
    "`<command>` failed",
    "correct the engine's error, then run the command again",
    "name the stack: --stack NAME",
  ],
  "server.unknown": ["<domain>: no name server was found", "name one: --server ADDRESS"],
  "server.no-address": warning("<domain>: name servers without an address are not asked"),
  "server.silent": ["<server>: <detail>", "check the connection", "ask another server: --server ADDRESS"],
  "dump.no-match": [
    "no domain of the account matches <pattern>",
    "dump every domain: pulumi-legacydns dump --all",
  ],
  "dump.exclusive": [
    "<domain>: no file can declare these records, because they exclude each other",
    "delete one of them in the service's console",
  ],
  "convert.unfit": ["<detail>", "correct it, or remove it from the other tool's files"],
  "check.zone": [
    "the file's name does not say for certain which zone it holds",
    "name the zone, with this file alone: --zone DOMAIN",
    "rename the file: DOMAIN.zone, db.DOMAIN, or DOMAIN.yaml for octoDNS",
  ],
  "check.nothing": [
    "no zone file and no file of octoDNS is in this folder",
    "name the files, or their folder: subfolders are not read",
  ],
  "emulator.settings": ["these values of the emulator are not valid", "correct them"],
  "emulator.address": ["the emulator cannot listen on <address> (<code>)", "<hint>"],
} as const;
