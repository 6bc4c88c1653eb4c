/** A value in a file of another tool, with its position. */
import type { SourcePosition } from "../../provider/dns/zone-file";
import type { PythonScalar } from "./python";

export class Part {
  constructor(
    readonly position: SourcePosition,
    private readonly content: Content,
  ) {}

  /** The fields of a map by their names; undefined for anything else. */
  fields(): ReadonlyMap<string, Field> | undefined {
    return this.content.kind === "map" ? this.content.fields : undefined;
  }

  /** The elements of a list; undefined for anything else. */
  items(): readonly Part[] | undefined {
    return this.content.kind === "list" ? this.content.items : undefined;
  }

  /** A field of a map; undefined if it is missing. */
  get(name: string): Part | undefined {
    return this.fields()?.get(name)?.value;
  }

  /** A scalar; undefined for a map or a list. */
  scalar(): PythonScalar | undefined {
    return this.content.kind === "scalar" ? this.content : undefined;
  }

  /** A field of a map; undefined if it is missing or null. */
  find(name: string): Part | undefined {
    const part = this.get(name);
    return part?.scalar()?.type === "null" ? undefined : part;
  }

  /** A text, or a number as text; undefined for anything else. */
  text(): string | undefined {
    const scalar = this.scalar();
    return scalar !== undefined && ["text", "int", "float"].includes(scalar.type) ? scalar.text : undefined;
  }
}

export interface Field {
  readonly name: Part;
  readonly value: Part;
}

type Content =
  | { readonly kind: "map"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "list"; readonly items: readonly Part[] }
  | ({ readonly kind: "scalar" } & PythonScalar);
