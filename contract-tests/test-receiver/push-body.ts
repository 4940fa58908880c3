// Bodies of pushes: the bytes, and the shell's words that write the same bytes.

/** The bytes of a push, and a command of a POSIX shell that writes them to standard output. */
export interface Body {
  bytes: Buffer;
  shell: string;
}

/** A body from a text or bytes. */
export function bodyOf(content: string | Buffer): Body {
  const bytes = Buffer.from(content);
  return { bytes, shell: `printf '${formatOf(bytes)}'` };
}

/** A body with a run of one letter where the text has `{pad}`, which a shell need not be shown letter by letter. */
export function paddedBody(text: string, length: number): Body {
  const [head = '', tail = ''] = text.split('{pad}');
  const shell = `{ ${bodyOf(head).shell}; head -c ${length} /dev/zero | tr '\\0' x; ${bodyOf(tail).shell}; }`;
  return { bytes: Buffer.from(`${head}${'x'.repeat(length)}${tail}`), shell };
}

const shown = /^[ -~\p{L}\p{N}\p{P}\p{S}]$/u;

/** What printf makes the bytes of again, in one line. What is not seen is written as octal numbers. */
function formatOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return [...bytes].map(octal).join('');
  return Array.from(text, (one) => {
    if (!shown.test(one)) return [...Buffer.from(one)].map(octal).join('');
    return { "'": "'\\''", '\\': '\\\\', '%': '%%' }[one] ?? one;
  }).join('');
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
