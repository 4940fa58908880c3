import { escapeControlCharacters, escapeToLine } from '../receiver/indent-text.ts';

const plain = /^[\x20-\x7e]*$/;

/** A text of others in one line that commands no terminal. */
export function harmless(text: string): string {
  return plain.test(text) ? text : escapeToLine(text);
}

/** A value as one line of JSON that commands no terminal, and reads as the same value. */
export function harmlessJson(value: unknown): string {
  return harmless(JSON.stringify(value));
}

/** A text of others in lines that command no terminal. */
export function harmlessLines(text: string): string {
  return escapeControlCharacters(text);
}
