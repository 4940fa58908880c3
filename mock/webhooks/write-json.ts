// JSON as different services write it. The signature covers the bytes, so a receiver has to accept each style.
export type BodyStyle = 'compact' | 'spaced' | 'escaped' | 'pretty';

export function writeJson(value: unknown, style: BodyStyle): string {
  if (style === 'spaced') return writeSpaced(value);
  if (style === 'pretty') return JSON.stringify(value, null, 2);
  return style === 'escaped' ? escapeText(JSON.stringify(value)) : JSON.stringify(value);
}

/** As Python's `json.dumps(value, ensure_ascii=False)`. */
function writeSpaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSpaced).join(', ')}]`;
  const members = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${writeSpaced(part)}`);
  return `{${members.join(', ')}}`;
}

/** As PHP's `json_encode(value)`. */
function escapeText(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
