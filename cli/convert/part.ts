/** A value in a file of another tool, with its position. */
import type { SourcePosition } from "../../provider/dns/zone-file";
import type { PythonScalar } from "./python";

export interface Field {
  readonly name: Part;
  readonly value: Part;
}

type Content =
  | { readonly fields: ReadonlyMap<string, Field> }
  | { readonly items: readonly Part[] }
  | { readonly scalar: PythonScalar };

export class Part {
  readonly fields: ReadonlyMap<string, Field> | undefined;
  readonly items: readonly Part[] | undefined;
  readonly scalar: PythonScalar | undefined;

  constructor(
    readonly position: SourcePosition,
    content: Content,
  ) {
    this.fields = "fields" in content ? content.fields : undefined;
    this.items = "items" in content ? content.items : undefined;
    this.scalar = "scalar" in content ? content.scalar : undefined;
  }

  get(name: string): Part | undefined {
    return this.fields?.get(name)?.value;
  }

  /** A field of a map; undefined if it is missing or null. */
  find(name: string): Part | undefined {
    const part = this.get(name);
    return part?.scalar?.type === "null" ? undefined : part;
  }

  /** A text, or a number as text. */
  get text(): string | undefined {
    const { type, text } = this.scalar ?? {};
    return type === "text" || type === "int" || type === "float" ? text : undefined;
  }

  textOf(name: string): string | undefined {
    return this.get(name)?.text;
  }
}
