import type { Version } from "../facts";
import { declaredIn, isAsDeclared } from "../program";
import type { Law } from "./law";

export const declaredLive = {
  name: "declared-live",
  sentence: "After a successful up, every declared record is live as declared, and at rest it is live once.",
  row: "A successful up leaves every declared record live as declared.",
  *ended(world, { process, ok, covers }) {
    const { first, kind, program } = world.run(process);
    if (!ok || !kind.startsWith("up")) return;
    const covered = program.filter(({ name }) => covers(name)).flatMap(declaredIn);
    for (const { domain, identity: what, spec } of covered) {
      if (world.live(what).some(({ now }) => isAsDeclared(spec, now.view))) continue;
      const sentAt = first.get(domain)?.at ?? world.now;
      const isUnknown = (version: Version) => !world.knows(process, version, { sentAt, seen: first });
      if (world.versionsOf(process, what, spec, sentAt).some(isUnknown)) continue;
      yield `${what} is declared and not live so, and no error of ${process.name} says so`;
    }
  },
  *rest(world, { program }) {
    for (const { identity: what, spec } of program.flatMap(declaredIn)) {
      const live = world.live(what);
      if (live.length !== 1 || !isAsDeclared(spec, live[0]?.now.view))
        yield `${what} is declared, and at rest ${live.length} records are live`;
    }
  },
} as const satisfies Law;
