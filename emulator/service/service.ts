/** The service as a pure state machine without I/O and timers. */
import type { Params } from "./context";
import { commonCodes, envelope, Refusal, texts, type JsonObject } from "./envelope";
import { settle } from "./jobs";
import { Gate, type Caller } from "./login";
import type { World } from "./model";
import { operations } from "./operations";
import { buildWorld, type SeedInput } from "./seed";
import { inShape } from "./shapes";

export interface ServiceOptions extends SeedInput {
  readonly now?: (() => number) | undefined;
  readonly seed?: number | undefined;
}

export class Service {
  readonly world: World;
  private readonly gate: Gate;

  constructor(options: ServiceOptions = {}) {
    this.world = buildWorld(options, options.now ?? Date.now, options.seed ?? 1);
    this.gate = new Gate(this.world);
  }

  answer(operation: string, params: Params, caller: Caller = {}): JsonObject {
    settle(this.world);
    const now = this.world.now();
    try {
      const account = this.gate.admit(params, caller);
      const row = operations.get(operation);
      if (row === undefined || (row.isOutside === true && !this.world.settings.undocumented)) {
        const hint = row === undefined ? "" : ": start the emulator with --undocumented to have it";
        throw new Refusal(commonCodes.unknown, `Unknown operation ${operation}${hint}`);
      }
      const refusal = (code: string, message?: string): Refusal =>
        new Refusal(code, message ?? row.errors[code] ?? `Error ${code}`);
      const body = row.run({ world: this.world, account, params, now, refusal });
      return {
        ...envelope(commonCodes.ok, this.success(params), now),
        ...inShape(this.world.settings, operation, body),
      };
    } catch (error) {
      if (error instanceof Refusal) return envelope(error.code, error.message, now);
      throw error;
    }
  }

  private success(params: Params): string {
    if (params["lang"] === "cn") return texts.okChinese;
    return this.world.settings.answers === "english" ? texts.okEnglish : texts.ok;
  }

  settle(): void {
    settle(this.world);
  }
}

export function codeOf(answer: JsonObject): string {
  const status = answer["status"];
  return typeof status === "object" && status !== null && "code" in status ? String(status.code) : "";
}
