/** Estimates the memory of a JSON value in bytes, erring high. No world contains values too deep for recursion. */
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
/** Includes the object's hidden class and what enumeration adds to it, since unique member names prevent sharing. */
const objectBytes = 256;
const memberBytes = 16;
const textBytes = 16;
/** Scanning the characters of shorter strings costs more than it gains. */
const shortText = 256;

/** The engine stores a string with one byte per character, or with two if any character needs them. */
export function bytesOfText(text: string): number {
  const isOneByte = text.length >= shortText && Buffer.byteLength(text) === text.length;
  return textBytes + text.length * (isOneByte ? 1 : 2);
}

export interface Limited {
  readonly bytes: number;
  /** Entries of the same time must be sorted oldest first. */
  candidates(): { entry: object; at: number; isNeeded: boolean; remove(): void }[];
}

/** Eviction leaves this share of a limit, so that it doesn't run again for the next entries. */
export const filled = 0.9;

/** Limits the bytes of several collections together, since a number of entries doesn't limit their size. */
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

  /** Evicts the oldest entries except `added`, if the collections exceed their limit. */
  fit(added: object): void {
    if (this.bytes > this.most) this.#evict(filled * this.most, added);
  }

  shrink(share: number): void {
    this.#evict(share * this.bytes);
  }

  #evict(most: number, added?: object): void {
    const entries = this.#members.flatMap((member) => member.candidates());
    entries.sort((one, other) => Number(one.isNeeded) - Number(other.isNeeded) || one.at - other.at);
    for (const { remove, entry } of entries) {
      if (this.bytes <= most) break;
      if (entry !== added) remove();
    }
  }
}
