const ellipsis = '…';

/** A text of at most `limit` bytes of UTF-8; a cut text ends in "…", and never inside a character. */
export function cutText(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = Math.max(0, limit - Buffer.byteLength(ellipsis));
  // Bytes inside a character begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString() + ellipsis;
}

/** A message of at most `limit` bytes of UTF-8, with as much of its text as fits. */
export function fitMessage(build: (text: string) => string, text: string, limit: number): string {
  const whole = build(text);
  if (Buffer.byteLength(whole) <= limit) return whole;
  // A message is at least as long as its text.
  const possible = Buffer.from(text).subarray(0, limit).toString();
  // By bisection, since JSON escapes some characters to more bytes than others.
  let [fits, tooMuch] = [0, Math.min(Buffer.byteLength(text), limit + 1)];
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (Buffer.byteLength(build(cutText(possible, middle))) <= limit) fits = middle;
    else tooMuch = middle;
  }
  return build(cutText(possible, fits));
}
