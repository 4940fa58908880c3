/** Shorter ones are not worth looking up. */
const shortText = 16_384;

/** Texts as the bytes that are sent, made once for all who send the same text at a time. */
export function createSharedBodies() {
  const shared = new Map<string, { bytes: Buffer; users: number }>();
  return {
    /** Whoever takes a body gives it back by `release`. */
    take(text: string): Buffer | string {
      if (text.length < shortText) return text;
      const body = shared.get(text) ?? { bytes: Buffer.from(text), users: 0 };
      if (body.users++ === 0) shared.set(text, body);
      return body.bytes;
    },
    release(text: string): void {
      if (text.length < shortText) return;
      const body = shared.get(text);
      if (body && --body.users === 0) shared.delete(text);
    },
  };
}
