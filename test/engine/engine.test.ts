import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { engineKey } from "../../tools/engine/build";
import { ensureEngine, engineEnvironment, NoEngine } from "../../tools/engine/index";
import { manifest, root } from "../support/page";
import { until } from "../support/processes";
import { checkEngine, CLI, DYNAMIC_PROVIDER, NODEJS_HOST } from "../../tools/engine/programs";

describe("an engine", () => {
  let [folder, bin, cache, log, place] = ["", "", "", "", ""];
  const said: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "legacydns-engine-"));
    [bin, cache, log] = [join(folder, "bin"), join(folder, "cache"), join(folder, "log")];
    place = join(cache, "engine", engineKey());
    await mkdir(bin);
    said.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: [bin, "/usr/bin", "/bin"].join(delimiter),
    HOME: folder,
    PULUMI_LEGACYDNS_CACHE: cache,
  });
  const script = async (path: string, name: string, text: string): Promise<void> => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  const engineIn = async (path: string, version = "3.220.0"): Promise<string> => {
    await script(path, CLI, `echo v${version}`);
    for (const host of [NODEJS_HOST, DYNAMIC_PROVIDER]) await script(path, host, "exit 0");
    return path;
  };
  const downloaded = (version: string) => engineIn(join(folder, "downloaded"), version);
  const noDownload = (): Promise<string> => Promise.reject(new Error("the network is closed"));
  const get = (fetched = noDownload): ReturnType<typeof ensureEngine> =>
    ensureEngine({ env: environment(), say: (line) => void said.push(line), download: fetched });
  const goInstalled = (seconds: number): Promise<void> =>
    script(
      bin,
      "go",
      `echo "$* | $GOFLAGS $GOSUMDB $GOTOOLCHAIN $CGO_ENABLED [$GOOS]" >> ${log}
while [ "$1" != -o ]; do shift; done
sleep ${seconds}
printf '#!/bin/sh\\necho v3.220.0\\n' > "$2"; chmod +x "$2"`,
    );
  const cached = async (): Promise<string[]> => readdir(join(cache, "engine")).catch(() => []);

  it("on the PATH is used and leaves the cache empty", async () => {
    await engineIn(bin, "3.216.0");
    deepEqual(await get(), { bin, version: "3.216.0" });
    deepEqual(await cached(), []);
  });

  it("of an unsupported version, or one that does not run, is refused", async () => {
    for (const version of ["3.215.9", "4.0.0", "unknown"]) {
      await engineIn(bin, version);
      await rejects(checkEngine(bin, environment()), /3\.216\.0 or newer, below 4/);
    }
    await script(bin, CLI, "echo cannot load a library >&2; exit 3");
    await rejects(checkEngine(bin, environment()), /ended with code 3\ncannot load a library/);
  });

  it("needs its host for Node.js, beside it or beside the file that it links to", async () => {
    await engineIn(join(folder, "opt"));
    await symlink(join(folder, "opt", CLI), join(bin, CLI));
    equal((await get()).bin, bin);
    await rm(join(folder, "opt", NODEJS_HOST));
    await rejects(checkEngine(bin, environment()), /has no pulumi-language-nodejs/);
  });

  it("in the cache is used, and replaced if it does not run", async () => {
    await engineIn(place);
    deepEqual(await get(), { bin: place, version: "3.220.0" });
    await script(place, CLI, "exit 1");
    deepEqual(await get(() => downloaded("3.221.0")), { bin: place, version: "3.221.0" });
    deepEqual(await cached(), [engineKey()]);
  });

  it("is built for this machine from pinned modules without a C compiler", async () => {
    await goInstalled(0);
    deepEqual(await get(), { bin: place, version: "3.220.0" });
    const [cli = "", host = "", ...more] = (await readFile(log, "utf8")).trim().split("\n");
    deepEqual(more, []);
    match(cli, /cmd\/pulumi \| -mod=readonly -trimpath -buildvcs=false off local 0 \[\]$/);
    match(host, /pulumi-language-nodejs \| /);
  });

  it("is built once for two callers, also after a builder was killed", async () => {
    await goInstalled(60);
    const program = `require("./tools/engine/index").ensureEngine({ download: () => Promise.reject(new Error("closed")) })`;
    const args = ["-r", "./tools/support/typescript.cjs", "-e", `${program}.then(() => 0)`];
    const options = { cwd: root, env: environment(), stdio: "ignore", detached: true } as const;
    const killed = spawn(process.execPath, args, options);
    const ended = once(killed, "exit");
    await until("the build", () => existsSync(log) && readFileSync(log, "utf8").includes("cmd/pulumi"));
    process.kill(-(killed.pid ?? 0), "SIGKILL");
    await ended;
    equal((await cached()).length, 2, "a lock and a folder");
    await goInstalled(0.3);
    await get();
    await rm(place, { recursive: true });
    await rm(log);
    deepEqual(await Promise.all([get(), get()]), Array(2).fill({ bin: place, version: "3.220.0" }));
    equal((await readFile(log, "utf8")).trim().split("\n").length, 2);
    ok(said.includes(`waiting for process ${process.pid}, which makes the engine`), said.join("\n"));
    deepEqual(await cached(), [engineKey()]);
  });

  it("that cannot be had is an error with every reason, and nothing stays in the cache", async () => {
    await script(bin, "go", "echo no route to the modules >&2; exit 1");
    await rejects(
      get(() => downloaded("2.0.0")),
      /cache: .* is version v2\.0\.0/,
    );
    await rejects(get(), {
      name: NoEngine.name,
      message: /\ndownload: the network is closed\nbuild: .*\nno route to the modules\ncache: /,
    });
    deepEqual(await cached(), []);
    cache = join(folder, "file");
    await writeFile(cache, "");
    await rejects(get(), /cache: .*ENOTDIR/);
  });

  it("of the matrix has exactly its version, and the error names the Go that its build needs", async () => {
    await engineIn(bin, "3.275.0");
    const options = { env: environment(), say: () => undefined, download: noDownload };
    for (const [edition, version, go] of [
      ["pulumi", "3.248.0", "1.25.11"],
      ["newest", "3.276.0", "1.26.6"],
    ] as const)
      await rejects(ensureEngine({ ...options, edition }), ({ message }: Error) =>
        [`3.275.0, not ${version}`, `Install Pulumi ${version}, or Go ${go} or`].every((part) =>
          message.includes(part),
        ),
      );
  });

  it("that is built has the version of the installed SDK, as a download has", () => {
    const version = manifest.devDependencies["@pulumi/pulumi"] ?? "";
    ok(engineKey().startsWith(`${version}-`));
    equal(engineKey(version), engineKey());
    notEqual(engineKey("3.999.0"), engineKey(), "another SDK downloads another engine");
  });

  it("runs in an environment of its own, without the user's Pulumi and the surrounding trace", () => {
    const hidden = { PULUMI_ACCESS_TOKEN: "t", PULUMI_CONFIG_PASSPHRASE_FILE: "f", TRACEPARENT: "p" };
    const kept = { PULUMI_LEGACYDNS_CACHE: "c", LEGACYDNS_BASE_URL: "u" };
    const folders = { home: join(folder, "home"), backend: join(folder, "a b") };
    const env = engineEnvironment({ bin }, { ...folders, env: { PATH: "/usr/bin", ...hidden, ...kept } });
    equal(env.PATH, `${bin}:/usr/bin`);
    equal(engineEnvironment({ bin }, { ...folders, env }).PATH, env.PATH);
    equal(env.PULUMI_BACKEND_URL, `file://${folder}/a%20b`);
    for (const name of Object.keys(hidden)) equal(env[name], undefined, name);
    for (const [name, value] of Object.entries(kept)) equal(env[name], value);
  });
});
