/** Callers choose some keys, and no database takes each text: NUL and half characters are escaped. */
export function writeKey(key: number | string): string {
  const text = String(key);
  return text.includes('\0') || text.startsWith('"') || !text.isWellFormed() ? JSON.stringify(text) : text;
}

export function readKey(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
