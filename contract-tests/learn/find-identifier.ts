// Which fields hold the identifier of what.
import { parsePointer } from '../../openapi/json-pointer.ts';
import type { DescribedOperation, Field } from './described-operation.ts';
import { type Resource, resources } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** What a name such as "siteId", "hook_id" or "form" is the identifier of; "id" alone says nothing. */
export function resourceOfName(name: string): Resource | undefined {
  const concepts = wordsOf(name).flatMap(({ concept }) => concept ?? []);
  if (concepts.includes('submission') || (concepts.includes('form') && concepts.includes('content')))
    return 'submission';
  if (concepts.includes('delivery')) return 'delivery';
  return resources.find((one) => one !== 'key' && concepts.includes(one)) ?? keyOr(concepts);
}

function keyOr(concepts: readonly string[]): Resource | undefined {
  return concepts.includes('key') || concepts.includes('token') ? 'key' : undefined;
}

/** How well a pointer names the identifier of a resource: 0 is best; undefined where it does not. */
export function rankIdentifier(pointer: string, resource: Resource): number | undefined {
  const segments = parsePointer(pointer);
  const last = segments.at(-1) ?? '';
  const words = wordsOf(last);
  const hasId = words.some(({ concept }) => concept === 'id');
  const about = resourceOfName(last);
  if (hasId && about === resource) return 0;
  if (about !== undefined) return undefined;
  const isPlain = words.length === 1 && hasId;
  const isIn = segments.slice(0, -1).some((segment) => resourceOfName(segment) === resource);
  const name = words.map(({ text }) => text).join('');
  if (isPlain) return (name === 'id' ? 1 : 2) - (isIn ? 0.5 : 0) + segments.length / 100;
  return hasId && words.at(-1)?.text === 'id' && words.length < 4 ? 5 : undefined;
}

/** Whether the query or body holds the identifier of the resource itself. */
export function ownIdIn(
  { query, body = [] }: DescribedOperation,
  resource: Resource | undefined,
): 'required' | 'optional' | undefined {
  if (!resource) return undefined;
  const own = [...query, ...body].filter((field) => isIdentifier(field, resource));
  if (own.length === 0) return undefined;
  return own.some(({ isRequired }) => isRequired) ? 'required' : 'optional';
}

export function isIdentifier({ pointer, types }: Field, resource: Resource): boolean {
  const rank = rankIdentifier(pointer, resource);
  const isScalar = types.length === 0 || types.some((type) => ['string', 'integer', 'number'].includes(type));
  return rank !== undefined && rank < 5 && isScalar && !pointer.includes('/*');
}
