// DER encoding (ITU-T X.690) of the ASN.1 values that a certificate needs.

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

/** `text` is dotted, such as 2.5.29.17. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** `first` must be from 1 to 127, which makes the integer positive and its encoding minimal. */
export function integer(first: number, ...others: readonly Uint8Array[]): Buffer {
  return der(0x02, Buffer.from([first]), ...others);
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes);
}

export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** UTCTime has two digits for the year, which covers dates before 2050. */
export function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

export const isTrue: Buffer = Buffer.from([0x01, 0x01, 0xff]);

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function base128(number: number): number[] {
  const digits = [number % 128];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left % 128) + 128);
  return digits;
}
