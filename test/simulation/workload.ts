/** A workload chooses a schedule's programs, edits and faults. The stage carries them out. */
import type { Settings } from "../../provider/settings";
import type { Dice } from "./dice";
import type { Result, Stack } from "./engine";
import type { Observer } from "./observer";
import type { Process } from "./process";
import type { Pool, Program } from "./program";
import type { Scene } from "./troubles";
import type { User } from "./user";

export type Kind = "up" | "up --refresh" | "refresh" | "destroy" | "preview";

export interface Deployment {
  readonly name: string;
  readonly state: Stack;
  readonly pool: Pool;
  settings: Settings;
  program: Program;
  readonly copies: boolean;
}

export interface Run {
  readonly result: Result;
  readonly process: Process;
}

export interface Stage extends Scene {
  readonly main: Deployment;
  readonly other: Deployment | undefined;
  readonly observer: Observer;
  readonly hasOperated: boolean;
  /** Before some ups, a preview. */
  operate(deployment: Deployment, kind: Kind, disturbed: boolean, retain?: boolean): Promise<Run>;
  /** The command alone, never with a preview before it. */
  once(deployment: Deployment, kind: Kind, disturbed: boolean): Promise<Run>;
  /** Ends all faults. A job that is stuck stays so. */
  calm(): void;
  /** A person's edits in the console. */
  byHand(act: (user: User) => void): void;
}

export interface Workload {
  readonly names: readonly string[];
  first(dice: Dice, pool: Pool): Program;
  next(dice: Dice, pool: Pool, program: Program): Program;
  /** Troubles of a process that begins. */
  upset(scene: Scene, process: Process, isPreview: boolean): void;
  /** @returns the names of the sequences that occurred */
  play(stage: Stage): Promise<readonly string[]>;
}
