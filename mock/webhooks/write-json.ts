// JSON as different services write it. The signature covers the bytes, so a receiver has to accept each style.
export type BodyStyle = 'compact' | 'spaced' | 'escaped' | 'pretty';

export function writeJson(value: unknown, style: BodyStyle): string {
  if (style === 'spaced') return writeSpaced(value);
  if (style === 'pretty') return JSON.stringify(value, null, 2);
  return style === 'escaped' ? escapeText(JSON.stringify(value)) : JSON.stringify(value);
}

/** As Python's `json.dumps(value, ensure_ascii=False)`. Each push is written so: arrays of its parts would cost more than the text. */
function writeSpaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const part of value) text += `${text && ', '}${writeSpaced(part)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value))
    text += `${text && ', '}${JSON.stringify(key)}: ${writeSpaced(value[key as keyof typeof value])}`;
  return `{${text}}`;
}

/** As PHP's `json_encode(value)`. */
function escapeText(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
