// Whether recorded paths name a thing by another member than the one that is stated as its identifier: a number beside a handle that somebody typed.
import { parsePointer } from '../../../openapi/json-pointer.ts';
import type { DescribedOperation } from '../described-operation.ts';
import type { Match } from '../match-operation.ts';
import type { Resource } from '../words/vocabulary.ts';

const placeholders: Partial<Record<Resource, string>> = {
  site: '{siteID}',
  content: '{contentID}',
  key: '{keyID}',
  subscription: '{subscriptionID}',
};

/** What answers of one call have where its own path names the thing; undefined where it is not named there, or the stated member is it. */
export function repeatedInstead({ known: { operation }, wanted, value }: Match): string[] | undefined {
  const name = parameterAt(value.path, placeholders[wanted.resource], operation);
  const repeated = name === undefined ? undefined : operation.seen?.repeated[name];
  if (typeof value.id !== 'string' || !repeated || repeated.includes(value.id)) return undefined;
  return repeated.filter((pointer) => parsePointer(pointer)[0] === 'data');
}

/** Whether a path has what an earlier call gave at another place than that of the identifier. `givers`: what creates and lists things, by what they are. */
export function isNamedByOther(
  { known: { operation }, value }: Match,
  givers: readonly (readonly [Resource, Match | undefined])[],
): boolean {
  return givers.some(([resource, giver]) => {
    const name = parameterAt(value.path, placeholders[resource], operation);
    const { id, list, 'item.id': item } = giver?.value ?? {};
    const stated = id ?? (item === undefined ? undefined : `${list}/*${item}`);
    const given = (giver?.known.operation.seen?.links ?? []).filter(
      ({ usedBy }) =>
        usedBy.in === 'path' &&
        usedBy.method === operation.method &&
        usedBy.path === operation.path &&
        usedBy.pointer === `/${name}`,
    );
    return stated !== undefined && given.length > 0 && !given.some(({ pointer }) => pointer === stated);
  });
}

/** The name of the parameter that stands where the stated path has a placeholder. */
function parameterAt(
  path: unknown,
  placeholder: string | undefined,
  operation: DescribedOperation,
): string | undefined {
  const at = String(path)
    .split('/')
    .findIndex((segment) => placeholder !== undefined && segment.includes(placeholder));
  return /\{(\w+)\}/.exec(operation.path.split('/')[at] ?? '')?.[1];
}
