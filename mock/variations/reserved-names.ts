import { parsePointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';

/** The names that the interface document shows in answers and pushes (sections 2.1, 6.3). */
const documented = [
  ...['code', 'message', 'data', 'trace_id', 'list', 'total'],
  ...['event', 'timestamp', 'site_id', 'site_name', 'pages', 'version'],
];

/** All names that mean something under a profile: every key and every text of its values, and what its pointers lead through. */
export function reservedNames({ values }: Profile): ReadonlySet<string> {
  return new Set([...documented, ...textsIn(values)]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...parsePointer(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}
