import type { Operation } from '../../openapi/operations.ts';

/** Prefix of every API path (section 9 of the interface document). */
export const basePath = '/api/v1';

const placeholder = /\{(\w+)\}/g;

export function toFastifyPath(template: string): string {
  const withoutColons = template.replaceAll(':', '::');
  return (
    basePath +
    withoutColons.replace(placeholder, (text, name: string, offset: number) => {
      const next = withoutColons[offset + text.length] ?? '/';
      // Within a segment, the router needs a pattern that shows where the value ends.
      return next === '/' ? `:${name}` : `:${name}([^/]+)`;
    })
  );
}

export function methodsAt(operations: readonly Operation[], path: string): string[] {
  const found = operations.filter((operation) => patternOf(operation.path).test(path));
  return [...new Set(found.map(({ method }) => method))];
}

function patternOf(template: string): RegExp {
  const literals = template.split(/\{\w+\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${basePath}${literals.join('[^/]+')}$`);
}

export function isControlPath(path: string): boolean {
  return path === '/_mock' || path.startsWith('/_mock/');
}
