// Bodies of pushes: the bytes, and a shell command that writes the same bytes.

/** The bytes of a push, and a command of a POSIX shell that writes them to standard output. */
export interface PushBody {
  bytes: Buffer;
  shell: string;
}

/** A body from a text or bytes. */
export function pushBodyOf(content: string | Buffer): PushBody {
  const bytes = Buffer.from(content);
  return { bytes, shell: `printf '${formatOf(bytes)}'` };
}

/** A body with a long run of one character, of so many bytes, in place of `{pad}`; the shell command stays short. */
export function paddedBody(text: string, bytes: number, character = 'x'): PushBody {
  const [head = '', tail = ''] = text.split('{pad}');
  const count = Math.floor(bytes / Buffer.byteLength(character));
  const run = `yes ${character} | head -n ${count} | tr -d '\\n'`;
  const shell = `{ ${pushBodyOf(head).shell}; ${run}; ${pushBodyOf(tail).shell}; }`;
  return { bytes: Buffer.from(`${head}${character.repeat(count)}${tail}`), shell };
}

const shown = /^[ -~\p{L}\p{N}\p{P}\p{S}]$/u;

/** The format, in one line, from which printf makes the bytes. Invisible characters are octal numbers. */
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
