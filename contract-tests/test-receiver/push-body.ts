/** The bytes of a body, and a POSIX shell command that prints them. */
export interface PushBody {
  bytes: Buffer;
  shell: string;
}

export function pushBodyOf(content: string | Buffer): PushBody {
  const bytes = Buffer.from(content);
  return { bytes, shell: `printf '${formatOf(bytes)}'` };
}

/** A body with `bytes` bytes of one repeated character in place of `{pad}`. The shell command stays short. */
export function paddedBody(text: string, bytes: number, character = 'x'): PushBody {
  const [head = '', tail = ''] = text.split('{pad}');
  const count = Math.floor(bytes / Buffer.byteLength(character));
  const run = `yes ${character} | head -n ${count} | tr -d '\\n'`;
  const shell = `{ ${pushBodyOf(head).shell}; ${run}; ${pushBodyOf(tail).shell}; }`;
  return { bytes: Buffer.from(`${head}${character.repeat(count)}${tail}`), shell };
}

const shown = /^[ -~\p{L}\p{N}\p{P}\p{S}]$/u;

/** The printf format, in one line, with octal escapes for invisible characters. */
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
