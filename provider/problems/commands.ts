/** Errors of the command line: arguments, files, the engine and name servers. */
import { warning } from "./kinds";

const again = "fix it, then run the command again";

export const commands = {
  "command.usage": ["<detail>", "<hint>", "<command> --help"],
  "command.token": [
    "the token is no argument, because other users can see arguments",
    "export LEGACYDNS_LOGIN_TOKEN=TOKEN",
  ],
  "command.defect": ["<detail>", "nothing was written; report this defect with the command and its output"],
  "output.exists": ["<path> exists already", "overwrite it: --force", "name another place: --out"],
  "output.unwritable": ["<path> cannot be written: <detail>", "name another place: --out"],
  "state.unfit": ["<path> is no state of <what>", "make one: <make>"],
  "state.empty": ["the state declares no record", "choose the stack: --stack NAME", "run `pulumi up` first"],
  "state.no-domain": ["the state declares no record of these domains", "it has records of <known>"],
  "engine.missing": [
    "there is no pulumi on the PATH",
    "install it from https://www.pulumi.com/docs/install/",
  ],
  "engine.failed": ["`<command>` failed", "<hint>"],
  "server.unknown": ["<domain>: no name server to ask is known", "name one: --server ADDRESS"],
  "server.no-address": warning("<domain>: name servers without an address are not asked"),
  "server.silent": ["<server>: <detail>", "check the connection, or name another server: --server ADDRESS"],
  "import.no-match": [
    "no domain of the account matches <pattern>",
    "every domain: pulumi-legacydns import --all",
  ],
  "import.exclusive": [
    "<domain>: no file can declare these records, because they exclude each other",
    "delete one of them in the service's console",
  ],
  "convert.unfit": ["<detail>", "correct it, or take it out of the other tool's files"],
  "emulator.settings": ["these values of the emulator are wrong", again],
  "emulator.address": ["the emulator cannot listen on <address> (<code>)", "<hint>"],
} as const;
