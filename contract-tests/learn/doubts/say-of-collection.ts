// What one operation says of a collection is true of those beside it: its log says that subscriptions are of webhooks.
import type { DescribedOperation } from '../described-operation.ts';
import type { Concept } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';

/** The operations that say something of their collection themselves, and all others below the same path. `nouns`: what the collection is of. */
export function withTheirCollections(
  operations: readonly DescribedOperation[],
  { nouns, says }: { nouns: readonly Concept[]; says: (operation: DescribedOperation) => boolean },
): DescribedOperation[] {
  const byPath = Map.groupBy(operations, ({ path }) => collectionIn(path, nouns));
  const groups = [...byPath].filter(([path, all]) => path !== undefined && all.some(says));
  return [...operations.filter(says), ...groups.flatMap(([, all]) => all)];
}

/** The path up to the last of the nouns in it. */
function collectionIn(path: string, nouns: readonly Concept[]): string | undefined {
  const segments = path.replace(/\{[^{}]*\}/g, '{}').split('/');
  const last = segments.findLastIndex((segment) =>
    wordsOf(segment).some(({ concept }) => concept !== undefined && nouns.includes(concept)),
  );
  return last < 0 ? undefined : segments.slice(0, last + 1).join('/');
}
