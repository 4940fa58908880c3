// What strangers have sent, as text for a terminal.

/** The text without anything that moves the cursor, gives the terminal orders, or turns the reading direction round. */
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

/** A JSON text with its members on lines of their own. The tokens stay as they came: 1.0, \u escapes, like keys. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let previous = '';
  let out = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    const isEnd = token === '}' || token === ']';
    const isAfterBegin = previous === '{' || previous === '[';
    if (isEnd) depth--;
    if (isEnd !== isAfterBegin || previous === ',') out += `\n${'  '.repeat(depth)}`;
    out += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    if (depth > mostDepth) return text;
    previous = token;
  }
  return out.trimStart();
}

/** Deeper nesting would be mostly spaces. */
const mostDepth = 50;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
