/** So that a class can add its private field to a given object. */
class Given {
  constructor(of: object) {
    return of;
  }
}

/** Computes a value once for each object, and keeps it in the object, where neither copies nor JSON show it. */
export function perObject<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  // For 100,000 records, a WeakMap takes twice as long and makes the garbage collection longer.
  return class Kept extends Given {
    readonly #value: V;

    constructor(of: K, value: V) {
      super(of);
      this.#value = value;
    }

    static of(of: K): V {
      return #value in of ? of.#value : new Kept(of, compute(of)).#value;
    }
  }.of;
}
