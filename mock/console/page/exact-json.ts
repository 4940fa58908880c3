// JSON with integers above 2^53 as bigints, which a page shows and sends with every digit. The types of answers say `number` of them.

/** Throws SyntaxError. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, exactInteger as (name: string, value: unknown) => unknown);
}

/** A browser that does not give the text of a number rounds it. */
function exactInteger(_name: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  const { source = '' } = context ?? {};
  return isRounded && /^-?\d{1,100}$/.test(source) ? BigInt(source) : value;
}

/** `indent`: the spaces before each level of a text for people. */
export function writeExactly(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'bigint' ? rawJson(part) : part),
    indent,
  );
}

/** TypeScript does not know this function yet. */
function rawJson(integer: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(integer));
}

/** An id as it stands in an address, with every digit. */
export function exactId(text: string): number {
  return text as unknown as number;
}
