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
