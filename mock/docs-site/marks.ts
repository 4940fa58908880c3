// The viewer does not show `x-gap` and `x-requirement`, so they are appended to the descriptions.
import type { Json } from '../../openapi/json.ts';

export function showMarks<T>(node: T): T {
  if (Array.isArray(node)) return node.map(showMarks) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, isData(key) ? part : showMarks(part)]),
  );
  const told = [tell('Left open: gap', copy['x-gap']), tell('Promised:', copy['x-requirement'])].flat();
  if (told.length > 0) copy.description = [copy.description ?? [], ...told].flat().join('\n\n');
  return copy as T;
}

/** These members hold examples and marks, not parts of the description. */
function isData(key: string): boolean {
  return key === 'examples' || key === 'example' || key.startsWith('x-');
}

function tell(label: string, mark: unknown): string[] {
  const ids = [mark ?? []].flat() as Json[];
  return ids.length === 0 ? [] : [`${label} ${ids.map((id) => `\`${String(id)}\``).join(', ')}`];
}
