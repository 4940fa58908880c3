import { unseen } from './visible-text.ts';

/** Quotes a text as one POSIX shell word in one line, without characters that control terminals or CI logs. */
export function shellWord(text: string): string {
  const whole = text.toWellFormed();
  if (whole === '') return "''";
  return whole
    .split(unseenParts)
    .map((part, index) => (index % 2 === 0 ? quoteSeen(part) : quoteUnseen(part)))
    .join('');
}

/** The same, but quotes only if necessary. */
export function plainWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : shellWord(text);
}

/** Line ends belong to the following part, because $(…) drops trailing ones. */
const unseenParts = new RegExp(`((?:\\n+[^\\n]|(?!\\n)${unseen.source})+|\\n+)`, 'u');

function quoteSeen(part: string): string {
  if (part === '') return '';
  const apart = part.replaceAll("'", `'\\''`).replace(/#(?=#[a-z]*\[)/gi, `#''`);
  return `'${apart}'`;
}

/** Only a trailing line end needs syntax that not every POSIX shell has. */
function quoteUnseen(part: string): string {
  if (part.endsWith('\n')) return `$'${part.replaceAll('\n', '\\n')}'`;
  const octal = [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${octal.join('')}')"`;
}
