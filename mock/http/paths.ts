import type { Operation } from '../../openapi/operations.ts';

/** The beginning of every API path (section 9). */
export const basePath = '/api/v1';

const placeholder = /\{(\w+)\}/g;

/** A path of the description in the syntax of Fastify's router. */
export function toFastifyPath(template: string): string {
  const withoutColons = template.replaceAll(':', '::');
  return (
    basePath +
    withoutColons.replace(placeholder, (text, name: string, offset: number) => {
      const next = withoutColons[offset + text.length] ?? '/';
      // Within a segment, the router needs to know where the value ends.
      return next === '/' ? `:${name}` : `:${name}([^/]+)`;
    })
  );
}

/** The methods of a path; empty for an unknown path. */
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
