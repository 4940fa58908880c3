/** Copies the bytes, so that they cannot change during verification. Returns undefined if the body is not raw. */
export function toBytes(body: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  return isArrayBuffer(body) ? new Uint8Array(body.slice(0)) : undefined;
}

/** `instanceof` fails for an ArrayBuffer of another realm. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
