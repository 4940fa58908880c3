/** Members of a report with words of ours, which a secret may happen to be. */
const ours = new Set(['outcome', 'operation', 'method', 'kind']);

/** The same plain data with every text in it redacted, however deep. */
export function redactTexts<T>(data: T, redact: (text: string) => string): T {
  return walk(data, redact) as T;
}

function walk(data: unknown, redact: (text: string) => string): unknown {
  if (typeof data === 'string') return redact(data);
  if (Array.isArray(data)) return data.map((item) => walk(item, redact));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, ours.has(name) ? part : walk(part, redact)]),
  );
}
