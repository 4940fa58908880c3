/** A path as a key. It may have a colon itself: "/sites/{id}:publish". */
const key =
  /^\s{0,40}(?:"(\/[^"]{0,1000})"\s{0,5}:|'(\/[^']{0,1000})'\s{0,5}:|(\/[^"'\s]{0,1000}?)\s{0,5}:(?=\s|$))/;

/** Finds the line on which a description has a path as a key; undefined where it has only a few long lines. */
export function findLines(text: string): (path: string) => number | undefined {
  const lines = text.split('\n');
  if (lines.length < 5) return () => undefined;
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const [, ...found] = key.exec(line.slice(0, 1_100)) ?? [];
    const path = found.find((one) => one !== undefined);
    if (path !== undefined && !places.has(path)) places.set(path, index + 1);
  }
  return (path) => places.get(path);
}
