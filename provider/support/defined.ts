/** Leaves out undefined values, as exact optional types require. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<T extends object>(all: T): Defined<T> {
  const some: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(all)) if (value !== undefined) some[key] = value;
  return some as Defined<T>;
}
