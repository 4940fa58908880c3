/** Finds the line on which a description has a path as a key; undefined where it has only a few long lines. */
export function findLines(text: string): (path: string) => number | undefined {
  const lines = text.split('\n');
  if (lines.length < 5) return () => undefined;
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const [, path] = /^\s{0,40}["']?(\/[^"'\s]{0,1000}?)["']?\s{0,5}:/.exec(line.slice(0, 1_100)) ?? [];
    if (path !== undefined && !places.has(path)) places.set(path, index + 1);
  }
  return (path) => places.get(path);
}
