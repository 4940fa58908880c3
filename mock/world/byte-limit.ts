/** A collection whose bytes are limited. */
export interface Limited {
  readonly bytes: number;
  /** Its entries, oldest first where they are of the same time. */
  candidates(): { entry: object; at: number; isNeeded: boolean; remove(): void }[];
}

/** Eviction leaves this share of a limit, so that the next entries cost nothing. */
const filled = 0.9;

/** How many bytes some collections take together at most: a number of entries limits nothing, since one may be large. */
export class ByteLimit {
  readonly most: number;
  readonly #members: Limited[] = [];

  constructor(most: number) {
    this.most = most;
  }

  add(member: Limited): void {
    this.#members.push(member);
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#members) sum += bytes;
    return sum;
  }

  /** Evicts the oldest entries but this one, if the collections are over their limit. */
  fit(kept: object): void {
    if (this.bytes > this.most) this.#evict(filled * this.most, kept);
  }

  /** Evicts the oldest entries until about this share of the bytes is left. */
  shrink(share: number): void {
    this.#evict(share * this.bytes);
  }

  #evict(most: number, kept?: object): void {
    const entries = this.#members.flatMap((member) => member.candidates());
    entries.sort((one, other) => Number(one.isNeeded) - Number(other.isNeeded) || one.at - other.at);
    for (const { remove, entry } of entries) {
      if (this.bytes <= most) break;
      if (entry !== kept) remove();
    }
  }
}
