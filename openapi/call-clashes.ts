// Finds operations that a profile states in ways that can't be true together.
import type { GapValues } from './generated/gap-values.ts';
import { gaps } from './registers.ts';
import { doneBy, queryOf, readCall, type StatedCall } from './stated-call.ts';
import { tellApart } from './tell-apart.ts';
import { placeholdersOf } from './template.ts';

export interface Contradiction {
  /** The gaps whose values contradict one another. */
  ids: readonly string[];
  text: string;
}

/** By method and path, with `{}` for each parameter, what the interface document shows. */
export const documentedCalls: Readonly<Record<string, string>> = {
  'POST /auth/tenant/login': 'login',
  'POST /auth/refresh': 'refresh',
  'POST /tenant/sites/{}/webhooks': 'the creation of subscriptions',
  'POST /tenant/sites/{}/webhooks/{}/test': 'the test of subscriptions',
};

interface Stated {
  id: string;
  call: StatedCall;
  /** Its method and path, whatever the placeholders are called. */
  key: string;
}

/** The contradictions in and between the operations of a profile. */
export function findCallClashes(values: GapValues): Contradiction[] {
  const operations = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => id);
  const statedFor = (id: string) => (values as unknown as Record<string, unknown>)[id];
  const stated = operations.flatMap((id): Stated[] => {
    const call = readCall(statedFor(id));
    return call ? [{ id, call, key: `${call.method} ${call.path.replace(/\{[^}]*\}/g, '{}')}` }] : [];
  });
  const sharing = [...Map.groupBy(stated, ({ key }) => key).values()];
  return [
    ...operations.flatMap((id) => findQueryClashes(id, statedFor(id))),
    ...stated.flatMap(findPageClashes),
    ...operations.flatMap((id) => findMissingDoer(id, statedFor(id), stated)),
    ...stated.flatMap(findDocumentedCall),
    ...sharing.flatMap((all) =>
      all.slice(1).flatMap((one, index) => findSharingClash(all.slice(0, index + 1), one)),
    ),
  ];
}

/** A parameter is sent once, and so is a value. */
function findQueryClashes(id: string, value: unknown): Contradiction[] {
  if (!readCall(value)) return [];
  const query = queryOf(value as StatedCall);
  const named = Map.groupBy(query, ([name]) => name);
  const again = [...named].filter(([, all]) => all.length > 1);
  const parameters = Map.groupBy(
    query.filter(([, text]) => placeholdersOf(text).length > 0),
    ([, text]) => text,
  );
  const repeated = [...parameters].filter(([, all]) => new Set(all.map(([name]) => name)).size > 1);
  return [
    ...again.map(([name]) => ({
      ids: [id],
      text: `${id}'s query has "${name}" more than once; state it in the path or in query, not in both`,
    })),
    ...repeated.map(([text, all]) => ({
      ids: [id],
      text: `${id}'s query has ${text} as ${all.map(([name]) => `"${name}"`).join(' and as ')}; a call sends it once`,
    })),
  ];
}

/** The ways in which pages of a list are asked for, each with the placeholder that says where a page begins. */
const pageStarts = ['page', 'offset', 'cursor'];
const pageSizes = ['page_size', 'limit'];

function findPageClashes({ id, call }: Stated): Contradiction[] {
  const names = placeholdersOf([Object.values(call.query), call.body]);
  const several = [pageStarts, pageSizes]
    .map((group) => group.filter((name) => names.includes(name)))
    .filter((group) => group.length > 1)
    .map((group) => ({
      ids: [id],
      text: `${id} asks for pages by ${group.map((name) => `{${name}}`).join(' and by ')}; a list has one way, so keep one of them`,
    }));
  const hasNoNext = names.includes('cursor') && call.next === undefined;
  const text = `${id} asks for pages by {cursor}, and does not say where an answer has the cursor of the next page; add next, such as next: /data/next_cursor`;
  return [...several, ...(hasNoNext ? [{ ids: [id], text }] : [])];
}

/** What is done by another operation needs that operation. */
function findMissingDoer(id: string, value: unknown, stated: readonly Stated[]): Contradiction[] {
  const doer = doneBy(value);
  const other = `operation.${doer}`;
  if (doer === undefined || stated.some((one) => one.id === other)) return [];
  return [
    { ids: [id, other], text: `${id} is done by ${doer}, which the profile does not state; state ${other}` },
  ];
}

function findDocumentedCall({ id, call, key }: Stated): Contradiction[] {
  const documented = documentedCalls[key];
  if (documented === undefined) return [];
  const text = `${documented} and ${id} are both called by ${call.method} ${call.path}; a call does one of them`;
  return [{ ids: [id], text }];
}

/** Operations may have a method and path in common, if something tells their requests apart. */
function findSharingClash(earlier: readonly Stated[], { id, call }: Stated): Contradiction[] {
  const renamed = earlier.find((other) => other.call.path !== call.path);
  const alike = earlier.find((other) => !tellApart(other.call, call));
  const other = renamed ?? alike;
  if (!other) return [];
  const start = `${other.id} and ${id} are both called by ${call.method} ${call.path}`;
  const text = renamed
    ? `${start}, once as ${other.call.path}; write a path that is shared with the same placeholders`
    : `${start}, and nothing in their requests tells them apart; give the body of one a member that the other has not, such as mode: ${id.slice('operation.'.length)}`;
  return [{ ids: [other.id, id], text }];
}
