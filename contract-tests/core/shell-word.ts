import { unseen } from './visible-text.ts';

/** A text as one word for a POSIX shell: in one line, without anything that a terminal or a log obeys, and to be copied as it is. */
export function shellWord(text: string): string {
  const whole = text.toWellFormed();
  if (whole === '') return "''";
  return whole
    .split(unseenParts)
    .map((part, index) => (index % 2 === 0 ? quoteSeen(part) : quoteUnseen(part)))
    .join('');
}

/** The same, quoted only where it must be: for lines that people read, too. */
export function plainWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : shellWord(text);
}

/** Line ends go with what follows, since $(…) drops them at its end. */
const unseenParts = new RegExp(`((?:\\n+[^\\n]|(?!\\n)${unseen.source})+|\\n+)`, 'u');

function quoteSeen(part: string): string {
  if (part === '') return '';
  const apart = part.replaceAll("'", `'\\''`).replace(/#(?=#[a-z]*\[)/gi, `#''`);
  return `'${apart}'`;
}

/** Only a line end at the very end needs what not every POSIX shell has. */
function quoteUnseen(part: string): string {
  if (part.endsWith('\n')) return `$'${part.replaceAll('\n', '\\n')}'`;
  const octal = [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${octal.join('')}')"`;
}
