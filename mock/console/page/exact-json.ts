// Integers above 2^53 become bigints, so that every digit is shown and sent; the types of answers still say `number`.

/** Throws SyntaxError if the text is not JSON. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, exactInteger as (name: string, value: unknown) => unknown);
}

/** Without `source`, which older browsers do not pass, the number stays rounded. */
function exactInteger(_name: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  const { source = '' } = context ?? {};
  return isRounded && /^-?\d{1,100}$/.test(source) ? BigInt(source) : value;
}

export function writeExactly(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'bigint' ? rawJson(part) : part),
    indent,
  );
}

/** TypeScript does not declare `JSON.rawJSON` yet. */
function rawJson(integer: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(integer));
}

/** Returns the string with every digit, typed as the API's number, for use in a URL path. */
export function exactId(text: string): number {
  return text as unknown as number;
}
