/** The body of a push as it came: bytes, or a text whose UTF-8 they are. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** A copy of the bytes, which nobody changes while they are verified; undefined for what is no raw body. */
export function toBytes(body: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  return isArrayBuffer(body) ? new Uint8Array(body.slice(0)) : undefined;
}

/** By its tag, for `instanceof` does not know that of another realm. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}
