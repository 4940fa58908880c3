// Finds profile values that are valid separately but contradict each other.
import type { GapValues } from './generated/gap-values.ts';
import { formatPointer, isIndex, parsePointer } from './json-pointer.ts';
import { findGap, idsOf, valueAt } from './registers.ts';
import { doneBy, readCall, type StatedCall } from './stated-call.ts';
import { tellApart } from './tell-apart.ts';
import { placeholdersOf } from './template.ts';

interface Contradiction {
  ids: readonly string[];
  text: string;
}

interface Place {
  id: string;
  label: string;
  pointer: string;
}

const envelope = ['/code', '/message', '/trace_id'];

export function findContradictions(values: GapValues): Contradiction[] {
  return [
    ...findFieldClashes(values),
    ...findPointerClashes(values),
    ...findCallClashes(values),
    ...findIdClashes(values),
  ];
}

function findFieldClashes(values: GapValues): Contradiction[] {
  const seen = new Map<string, string>();
  return idsOf('field').flatMap((id) => {
    const name = String(valueAt(values, id));
    const other = seen.get(name);
    seen.set(name, id);
    if (!other) return [];
    return {
      ids: [other, id],
      text: `${other} and ${id} both name the field "${name}"; give each its own field`,
    };
  });
}

function findPointerClashes(values: GapValues): Contradiction[] {
  const answers = Map.groupBy(idsOf('pointer'), (id) => id.slice(0, id.indexOf('.')));
  const documented = [...answers.values()].map((ids) =>
    ids.map((id) => ({ id, label: id, pointer: String(valueAt(values, id)) })),
  );
  const calls = idsOf('operation').map((id) => placesOf(values, id));
  const inAnswers = [...documented, ...calls.map((places) => places.filter((place) => !isInItem(place)))];
  return [
    ...inAnswers.flatMap((places) => [
      ...findEnvelopeClashes(places),
      // findEnvelopeClashes reports the places in the envelope, so they are not compared again.
      ...findClashes(places.filter(isFree), ['', '/data']),
    ]),
    ...calls.flatMap((places) => findClashes(places.filter(isInItem), [''])),
  ];
}

function placesOf(values: GapValues, id: string): Place[] {
  const call = valueAt(values, id);
  const reads = findGap(id)?.reads ?? [];
  if (typeof call !== 'object' || call === null) return [];
  return reads.flatMap((read) => {
    const pointer: unknown = Reflect.get(call, read) ?? promisedPlaces[read];
    return typeof pointer === 'string' ? [{ id, label: `${id}'s ${read}`, pointer }] : [];
  });
}

/** Section 2.1 promises these places; a profile may state others. */
const promisedPlaces: Readonly<Record<string, string>> = { list: '/data/list', total: '/data/total' };

function isInItem({ id, label }: Place): boolean {
  return label.startsWith(`${id}'s item.`);
}

function findEnvelopeClashes(places: readonly Place[]): Contradiction[] {
  return places
    .filter((place) => !isFree(place))
    .map(({ id, label, pointer }) => ({
      ids: [id],
      text: `${label} is ${pointer}, which is a field of the envelope; point at something inside /data`,
    }));
}

function isFree({ pointer }: Place): boolean {
  return (
    pointer !== '/data' && !envelope.some((field) => pointer === field || pointer.startsWith(`${field}/`))
  );
}

function findClashes(all: readonly Place[], maps: readonly string[]): Contradiction[] {
  const places = all.filter(({ pointer }) => pointer !== 'absent');
  const pairs = places.flatMap((one, index) => places.slice(index + 1).map((other) => [one, other] as const));
  const overlapping = pairs.filter(([one, other]) => overlap(one.pointer, other.pointer));
  return [
    ...overlapping.map(([one, other]) => ({
      ids: [one.id, other.id],
      text: `${nameOf(one)} and ${nameOf(other)} overlap; point at two different places`,
    })),
    ...findListClashes(places, maps),
  ];
}

function findListClashes(places: readonly Place[], maps: readonly string[]): Contradiction[] {
  const steps = places.flatMap((place) => stepsOf(place));
  return steps.flatMap(({ place, parent, isItem }) => {
    if (!isItem) return [];
    const other = steps.find((step) => step.parent === parent && !step.isItem)?.place;
    if (!other && !maps.includes(parent)) return [];
    const where = parent === '' ? 'the top' : parent;
    return {
      ids: other ? [place.id, other.id] : [place.id],
      text: `${nameOf(place)} expects a list at ${where}, ${other ? `but ${nameOf(other)} expects` : 'which is'} a map; do not use an index there`,
    };
  });
}

function stepsOf(place: Place): { place: Place; parent: string; isItem: boolean }[] {
  const segments = parsePointer(place.pointer);
  return segments.map((segment, index) => ({
    place,
    parent: formatPointer(segments.slice(0, index)),
    isItem: isIndex(segment),
  }));
}

function nameOf({ label, pointer }: Place): string {
  return `${label} (${pointer})`;
}

function findIdClashes(values: GapValues): Contradiction[] {
  if (values['subscription.id-scope'] !== 'per-site' || values['subscription.id-type'] !== 'integer')
    return [];
  return idsOf('operation').flatMap((id) => {
    const call = JSON.stringify(valueAt(values, id));
    if (!call.includes('{subscriptionID}') || call.includes('{siteID}')) return [];
    const text = `subscription.id-scope is per-site, but ${id} names a subscription without its site`;
    return { ids: ['subscription.id-scope', id], text };
  });
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** The calls of section 4; `{}` replaces each parameter. */
export const documentedCalls: Readonly<Record<string, string>> = {
  'POST /auth/tenant/login': 'login',
  'POST /auth/refresh': 'refresh',
  'POST /tenant/sites/{}/webhooks': 'the creation of subscriptions',
  'POST /tenant/sites/{}/webhooks/{}/test': 'the test of subscriptions',
};

interface Stated {
  id: string;
  call: StatedCall;
  key: string;
}

function findCallClashes(values: GapValues): Contradiction[] {
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
        `${id}'s query has ${text} as ${names.map((name) => `"${name}"`).join(' and as ')}; state it only once`,
    ),
  ];
}

/** Each of these placeholders starts a page in another way, so a call uses at most one. */
const pageStarts = ['page', 'offset', 'cursor'];
const pageSizes = ['page_size', 'limit'];

function explainPages({ id, call }: Stated): string[] {
  const names = placeholdersOf([Object.values(call.query), call.body]);
  const several = [pageStarts, pageSizes]
    .map((group) => group.filter((name) => names.includes(name)).map((name) => `{${name}}`))
    .filter((group) => group.length > 1)
    .map((group) => `${id} asks for pages by ${group.join(' and by ')}; state only one of them`);
  if (!names.includes('cursor') || call.next !== undefined) return several;
  return [
    ...several,
    `${id} asks for pages by {cursor}, but does not state where an answer contains the cursor of the next page; add next, for example next: /data/next_cursor`,
  ];
}

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
  return [`${documented} and ${id} are both called by ${call.method} ${call.path}; state another call`];
}

function findSharingClash(earlier: readonly Stated[], { id, call }: Stated): Contradiction[] {
  const renamed = earlier.find((other) => other.call.path !== call.path);
  const alike = earlier.find((other) => !tellApart(other.call, call));
  const other = renamed ?? alike;
  if (!other) return [];
  const start = `${other.id} and ${id} are both called by ${call.method} ${call.path}`;
  const text = renamed
    ? `${start}, once as ${other.call.path}; use the same placeholders in both paths`
    : `${start}, and their requests do not differ; give the body of one an additional member, for example mode: ${id.slice('operation.'.length)}`;
  return [{ ids: [other.id, id], text }];
}
