/** How many bytes a value of JSON takes in memory, roughly and rather too many. Without recursion, since it may be as deep as its text is long. */
export function bytesOf(value: unknown): number {
  let bytes = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') bytes += bytesOfText(next);
    else if (typeof next === 'object' && next !== null) {
      bytes += measured.get(next) ?? measureShallow(next, left);
    } else if (typeof next === 'number' && !Number.isInteger(next)) bytes += fractionBytes;
    bytes += slotBytes;
  }
  return bytes;
}

/** Large values that stay as they are, measured once: they are looked at again whenever a bound is reached. */
const measured = new WeakMap<object, number>();

/** Measures a value that is never changed; `bytesOf` is quick with what has it inside. */
export function measureOnce(value: object): void {
  // The slot is that of what holds it.
  measured.set(value, bytesOf(value) - slotBytes);
}

function measureShallow(value: object, left: unknown[]): number {
  if (Array.isArray(value)) {
    for (const item of value) left.push(item);
    return arrayBytes;
  }
  let bytes = objectBytes;
  for (const name in value) {
    bytes += memberBytes + name.length;
    const member: unknown = value[name as keyof typeof value];
    if (typeof member === 'string' && member.length > longText) bytes += bytesOfLongText(value, member);
    else left.push(member);
  }
  return bytes;
}

/** The last long text of an object: a body of 1 MB takes a millisecond, and is looked at again whenever a bound is reached. */
const longTexts = new WeakMap<object, { text: string; bytes: number }>();

function bytesOfLongText(owner: object, text: string): number {
  const known = longTexts.get(owner);
  if (known?.text === text) return known.bytes;
  const bytes = bytesOfText(text) + slotBytes;
  longTexts.set(owner, { text, bytes });
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
/** Of longer ones the size is kept. */
const longText = 65_536;

/** The engine keeps a text with one byte a character, or with two where any of them needs it. */
function bytesOfText(text: string): number {
  const isOneByte = text.length >= shortText && Buffer.byteLength(text) === text.length;
  return textBytes + text.length * (isOneByte ? 1 : 2);
}
