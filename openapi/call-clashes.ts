// Finds operations that a profile states in ways that can't be true together.
import type { GapValues } from './generated/gap-values.ts';
import { idsOf, valueAt } from './registers.ts';
import { doneBy, readCall, type StatedCall } from './stated-call.ts';
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
  const operations = idsOf('operation').map((id) => ({ id, value: valueAt(values, id) }));
  const stated = operations.flatMap(({ id, value }): Stated[] => {
    const call = readCall(value);
    return call ? [{ id, call, key: `${call.method} ${call.path.replace(/\{[^}]*\}/g, '{}')}` }] : [];
  });
  const inEach = (explain: (one: Stated) => string[]) =>
    stated.flatMap((one) => explain(one).map((text) => ({ ids: [one.id], text })));
  const sharing = [...Map.groupBy(stated, ({ key }) => key).values()];
  return [
    ...inEach(explainQuery),
    ...inEach(explainPages),
    ...operations.flatMap(({ id, value }) => findMissingDoer(id, doneBy(value), stated)),
    ...inEach(explainDocumented),
    ...sharing.flatMap((all) => all.flatMap((one, index) => findSharingClash(all.slice(0, index), one))),
  ];
}

/** A parameter is sent once, and so is a value. */
function explainQuery({ id, call: { parameters } }: Stated): string[] {
  const named = [...Map.groupBy(parameters, ([name]) => name)].filter(([, all]) => all.length > 1);
  const filled = parameters.filter(([, text]) => placeholdersOf(text).length > 0);
  const repeated = [...Map.groupBy(filled, ([, text]) => text)]
    .map(([text, all]) => ({ text, names: all.map(([name]) => name) }))
    .filter(({ names }) => new Set(names).size > 1);
  return [
    ...named.map(
      ([name]) => `${id}'s query has "${name}" more than once; state it in the path or in query, not in both`,
    ),
    ...repeated.map(
      ({ text, names }) =>
        `${id}'s query has ${text} as ${names.map((name) => `"${name}"`).join(' and as ')}; a call sends it once`,
    ),
  ];
}

/** The ways in which pages of a list are asked for, each with the placeholder that says where a page begins. */
const pageStarts = ['page', 'offset', 'cursor'];
const pageSizes = ['page_size', 'limit'];

function explainPages({ id, call }: Stated): string[] {
  const names = placeholdersOf([Object.values(call.query), call.body]);
  const several = [pageStarts, pageSizes]
    .map((group) => group.filter((name) => names.includes(name)).map((name) => `{${name}}`))
    .filter((group) => group.length > 1)
    .map(
      (group) => `${id} asks for pages by ${group.join(' and by ')}; a list has one way, so keep one of them`,
    );
  if (!names.includes('cursor') || call.next !== undefined) return several;
  return [
    ...several,
    `${id} asks for pages by {cursor}, and does not say where an answer has the cursor of the next page; add next, such as next: /data/next_cursor`,
  ];
}

/** What is done by another operation needs that operation. */
function findMissingDoer(id: string, doer: string | undefined, stated: readonly Stated[]): Contradiction[] {
  const other = `operation.${doer}`;
  if (doer === undefined || stated.some((one) => one.id === other)) return [];
  return [
    { ids: [id, other], text: `${id} is done by ${doer}, which the profile does not state; state ${other}` },
  ];
}

function explainDocumented({ id, call, key }: Stated): string[] {
  const documented = documentedCalls[key];
  if (documented === undefined) return [];
  return [`${documented} and ${id} are both called by ${call.method} ${call.path}; a call does one of them`];
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
