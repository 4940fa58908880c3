// Finds values of a profile that are valid each by itself, and can't be true together.
import { type Contradiction, findCallClashes } from './call-clashes.ts';
import type { GapValues } from './generated/gap-values.ts';
import { formatPointer, isIndex, parsePointer } from './json-pointer.ts';
import { findGap, idsOf, valueAt } from './registers.ts';

interface Place {
  id: string;
  label: string;
  pointer: string;
}

const envelope = ['/code', '/message', '/trace_id'];

/** All contradictions between the values of a profile. */
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
      text: `${other} and ${id} both name the field "${name}"; a field holds one of them`,
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
      // What is wrong by itself overlaps with places that nobody wrote.
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

/** Where a list and its length are when the profile does not say (section 2.1). */
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

/** A pointer with an index expects a list at its parent, one with a name a map. */
function findListClashes(places: readonly Place[], maps: readonly string[]): Contradiction[] {
  const steps = places.flatMap((place) => stepsOf(place));
  return steps.flatMap(({ place, parent, isItem }) => {
    if (!isItem) return [];
    const other = steps.find((step) => step.parent === parent && !step.isItem)?.place;
    if (!other && !maps.includes(parent)) return [];
    const where = parent === '' ? 'the top' : parent;
    return {
      ids: other ? [place.id, other.id] : [place.id],
      text: `${nameOf(place)} expects a list at ${where}, ${other ? `${nameOf(other)} a map` : 'which is a map'}; it can't have an index there`,
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

/** An identifier that two sites may have names no subscription by itself. */
function findIdClashes(values: GapValues): Contradiction[] {
  if (values['subscription.id-scope'] !== 'per-site' || values['subscription.id-type'] !== 'integer')
    return [];
  return idsOf('operation').flatMap((id) => {
    const call = JSON.stringify(valueAt(values, id));
    if (!call.includes('{subscriptionID}') || call.includes('{siteID}')) return [];
    const text = `subscription.id-scope counts identifiers per site, and ${id} names a subscription without its site`;
    return { ids: ['subscription.id-scope', id], text };
  });
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
