import { parsePointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';

/** Names in answers and pushes of the interface document (sections 2.1, 6.3). */
const documented = [
  ...['code', 'message', 'data', 'trace_id', 'list', 'total'],
  ...['event', 'timestamp', 'site_id', 'site_name', 'pages', 'version'],
];

/** All names with a meaning under a profile: the keys and texts of its values, and the steps of its pointers. */
export function reservedNames({ values }: Profile): ReadonlySet<string> {
  return new Set([...documented, ...textsIn(values)]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...parsePointer(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}
