import { readFileSync, statSync } from 'node:fs';

const pollMs = 150;

/**
 * Calls `onChange` when a file says something else than before, until `stop` is called. It is looked at by its path, whatever lies there, and
 * read once it stays as it is: editors write in pieces, or put another file into its place.
 */
export function watchForChanges(path: string, onChange: () => void): () => void {
  let [seen, read] = [stampOf(path), stampOf(path)];
  let known = readText(path);
  const look = () => {
    const before = seen;
    seen = stampOf(path);
    if (seen !== before || seen === read) return;
    read = seen;
    const text = readText(path);
    if (text === known) return;
    known = text;
    onChange();
  };
  const timer = setInterval(look, pollMs);
  return () => clearInterval(timer);
}

/** What differs after each change. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function readText(path: string): string | undefined {
  try {
    // A pipe has nothing to be read twice, and would be waited for.
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : undefined;
  } catch {
    return undefined;
  }
}
