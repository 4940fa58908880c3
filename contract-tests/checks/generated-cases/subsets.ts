// Choices from a list, in any order. The subsets of fast-check do not shrink in order and in size apart from each other.
import { Arbitrary, type Random, Stream, Value } from 'fast-check';

/** `size` different items in any order; shrinks to fewer of them, down to one, and to the order of the list. */
export function chosen<T>(items: readonly T[], size: number): Arbitrary<T[]> {
  return new Chosen(items, Math.min(size, items.length));
}

/** The same, in the reverse order of the list. */
export function chosenDescending<T>(items: readonly T[], size: number): Arbitrary<T[]> {
  return chosen(items, size).map((some) => items.filter((item) => some.includes(item)).toReversed());
}

class Chosen<T> extends Arbitrary<T[]> {
  readonly #items: readonly T[];
  readonly #size: number;
  constructor(items: readonly T[], size: number) {
    super();
    this.#items = items;
    this.#size = size;
  }

  override generate(random: Random): Value<T[]> {
    const rest = [...this.#items];
    const picked = Array.from({ length: this.#size }, () =>
      rest.splice(random.nextInt(0, rest.length - 1), 1),
    );
    return new Value(picked.flat(), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T[] {
    return Array.isArray(value) && value.every((item) => this.#items.includes(item));
  }

  override shrink(value: T[]): Stream<Value<T[]>> {
    const sorted = this.#items.filter((item) => value.includes(item));
    const fewer = value.length > 1 ? value.map((_, index) => value.toSpliced(index, 1)) : [];
    const swapped = value.slice(1).flatMap((_, index) => this.#swap(value, index));
    const isSorted = sorted.every((item, index) => item === value[index]);
    return Stream.of(...(isSorted ? fewer : [...fewer, sorted, ...swapped])).map(
      (one) => new Value(one, undefined),
    );
  }

  /** Swaps two neighbours into the order of the list; empty where they are in that order. */
  #swap(value: readonly T[], index: number): T[][] {
    const [one, other] = value.slice(index, index + 2) as [T, T];
    if (this.#items.indexOf(one) < this.#items.indexOf(other)) return [];
    return [value.toSpliced(index, 2, other, one)];
  }
}
