/** Members with fixed words of the suite, which may equal a secret by chance. */
const fixedWords = new Set(['outcome', 'operation', 'method', 'kind']);

/** Redacts every string in plain data, at any depth. */
export function redactTexts<T>(data: T, redact: (text: string) => string): T {
  return walk(data, redact) as T;
}

function walk(data: unknown, redact: (text: string) => string): unknown {
  if (typeof data === 'string') return redact(data);
  if (Array.isArray(data)) return data.map((item) => walk(item, redact));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, fixedWords.has(name) ? part : walk(part, redact)]),
  );
}
