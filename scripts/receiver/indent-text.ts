// Prepares text from unknown senders for a terminal.

/** Escapes everything in a text that moves the cursor, controls the terminal, or changes the reading direction. */
export function escapeControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, escapeCharacter);
}

/** The same in one line. */
export function escapeToLine(text: string): string {
  return escapeControlCharacters(text).replace(/[\n\t]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A JSON text with each member on a separate line. Its tokens are not changed: 1.0, \u escapes, repeated keys. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let previous = '';
  let indented = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    const isEnd = token === '}' || token === ']';
    const isAfterBegin = previous === '{' || previous === '[';
    if (isEnd) depth--;
    if (isEnd !== isAfterBegin || previous === ',') indented += `\n${'  '.repeat(depth)}`;
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    if (depth > mostDepth) return text;
    previous = token;
  }
  return indented.trimStart();
}

/** With deeper nesting, most of the text would be spaces. */
const mostDepth = 50;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
