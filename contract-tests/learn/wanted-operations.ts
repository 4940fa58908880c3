// What the operation gaps are about, and what a call of each needs.
import { type Gap, gaps } from '../../openapi/registers.ts';
import type { Resource, Verb } from './words/vocabulary.ts';

export interface WantedOperation {
  gap: Gap;
  resource: Resource;
  verb: Verb;
  /** Whether it has to speak of a failure. */
  fails: boolean;
  /** The placeholders without which a call says nothing; of those in one list, one is enough. */
  needs: readonly (readonly string[])[];
  /** The pointers without which its checks see nothing. */
  reads: readonly string[];
}

type Row = readonly [resource: Resource, verb: Verb, needs: string, reads: string];

/** By the names of the gaps; alternatives among the placeholders are joined by "|". */
const table: Readonly<Record<string, Row>> = {
  'create-site': ['site', 'create', 'name', 'id'],
  'list-sites': ['site', 'list', '', 'list item.id'],
  'get-site': ['site', 'get', 'siteID', ''],
  'delete-site': ['site', 'delete', 'siteID', ''],
  'publish-site': ['site', 'publish', 'siteID', 'version'],
  'fail-publish': ['site', 'publish', 'siteID', ''],
  'import-site': ['site', 'import', 'source', 'id'],
  ai: ['ai', 'generate', 'prompt', ''],
  'create-key': ['key', 'create', 'name', 'id key'],
  'list-keys': ['key', 'list', '', 'list item.id'],
  'delete-key': ['key', 'delete', 'keyID', ''],
  'create-content': ['content', 'create', 'siteID title|text', 'id'],
  'publish-content': ['content', 'publish', 'contentID', ''],
  'update-content': ['content', 'update', 'contentID title|text', ''],
  'delete-content': ['content', 'delete', 'contentID', ''],
  'submit-form': ['submission', 'create', 'siteID|form fields', ''],
  'create-comment': ['comment', 'create', 'siteID text', ''],
  'list-contents': ['content', 'list', 'siteID', 'list'],
  'get-content': ['content', 'get', 'contentID', ''],
  'list-submissions': ['submission', 'list', 'siteID', 'list'],
  'list-comments': ['comment', 'list', 'siteID', 'list'],
  'get-publish': ['publication', 'get', 'version', ''],
  'list-subscriptions': ['subscription', 'list', 'siteID', 'list item.id'],
  'delete-subscription': ['subscription', 'delete', 'subscriptionID', ''],
  'list-deliveries': ['delivery', 'list', 'siteID|subscriptionID', 'list'],
};

/** In the order of the gaps. */
export const wantedOperations: readonly WantedOperation[] = gaps.flatMap((gap): WantedOperation[] => {
  const row = gap.kind === 'operation' ? table[gap.id.slice('operation.'.length)] : undefined;
  if (!row) return [];
  const [resource, verb, needs, reads] = row;
  return [
    {
      gap,
      resource,
      verb,
      fails: gap.id === 'operation.fail-publish',
      needs: split(needs).map((one) => one.split('|')),
      reads: split(reads),
    },
  ];
});

function split(words: string): string[] {
  return words.split(' ').filter(Boolean);
}
