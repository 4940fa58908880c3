import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Operation } from '../../openapi/operations.ts';
import { type Template, wholePlaceholder } from '../../openapi/template.ts';

/** The JSON Pointer of a value in a request's body, for error messages; that of the whole body if the template does not show it. */
export function pointerTo(operation: Operation, name: string): string {
  return formatPointer(pathTo(operation.request?.template, name) ?? []);
}

function pathTo(template: Template, name: string): string[] | undefined {
  if (typeof template === 'string') return wholePlaceholder(template) === name ? [] : undefined;
  if (typeof template !== 'object' || template === null) return undefined;
  for (const [key, part] of Object.entries(template)) {
    const inside = pathTo(part, name);
    if (inside) return [key, ...inside];
  }
  return undefined;
}
