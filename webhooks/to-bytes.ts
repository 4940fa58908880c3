/** Copies the bytes, so that they can't change during verification; undefined for anything but a raw body. */
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
