// How many bytes values take in memory, and a limit for those of some collections.

/** About how many bytes a value of JSON takes in memory, rather too many. What nests too deep for this can't be copied either, and comes into no world. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return slotBytes + bytesOfText(value);
  if (typeof value === 'number' && !Number.isInteger(value)) return slotBytes + fractionBytes;
  if (typeof value !== 'object' || value === null) return slotBytes;
  let bytes = slotBytes + (Array.isArray(value) ? arrayBytes : objectBytes);
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item);
  else
    for (const name in value) bytes += memberBytes + name.length + bytesOf(value[name as keyof typeof value]);
  return bytes;
}

const slotBytes = 8;
const fractionBytes = 16;
const arrayBytes = 48;
/** With a shape of its own, as that of names that no other object has; looking at them adds to it. */
const objectBytes = 256;
const memberBytes = 16;
const textBytes = 16;
/** Of shorter texts, looking at each character is not worth it. */
const shortText = 256;

/** The engine stores a text with one byte a character, or with two where any of them needs it. */
export function bytesOfText(text: string): number {
  const isOneByte = text.length >= shortText && Buffer.byteLength(text) === text.length;
  return textBytes + text.length * (isOneByte ? 1 : 2);
}

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
