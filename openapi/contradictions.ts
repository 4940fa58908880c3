// What no single value of a profile shows: two values that can't both hold.
import type { GapValues } from './generated/gap-values.ts';
import { gaps } from './registers.ts';

interface Contradiction {
  id: string;
  text: string;
}

interface Place {
  id: string;
  label: string;
  pointer: string;
}

const envelope = ['/code', '/message', '/trace_id', '/data'];
const documentedCalls: readonly [string, string][] = [
  ['POST /auth/tenant/login', 'login'],
  ['POST /auth/refresh', 'refresh'],
  ['POST /tenant/sites/{}/webhooks', 'the creation of subscriptions'],
  ['POST /tenant/sites/{}/webhooks/{}/test', 'the test of subscriptions'],
];

/** The pairs of values that can't both hold, each named by one of the two gaps. */
export function findContradictions(values: GapValues): Contradiction[] {
  return [...clashingFields(values), ...clashingPointers(values), ...clashingCalls(values)];
}

function clashingFields(values: GapValues): Contradiction[] {
  const seen = new Map<string, string>();
  return idsOf('field').flatMap((id) => {
    const name = String(gapValue(values, id));
    const other = seen.get(name);
    seen.set(name, id);
    return other ? [{ id, text: `${id} and ${other} both name the field "${name}"` }] : [];
  });
}

function clashingPointers(values: GapValues): Contradiction[] {
  const answers = Map.groupBy(idsOf('pointer'), (id) => id.slice(0, id.indexOf('.')));
  const documented = [...answers.values()].map((ids) =>
    ids.map((id) => ({ id, label: id, pointer: String(gapValue(values, id)) })),
  );
  return [...documented, ...idsOf('operation').map((id) => placesOf(values, id))].flatMap(clashesIn);
}

function placesOf(values: GapValues, id: string): Place[] {
  const call = gapValue(values, id);
  const reads = gaps.find((gap) => gap.id === id)?.reads ?? [];
  if (typeof call !== 'object' || call === null) return [];
  return reads.flatMap((read) => {
    const pointer: unknown = Reflect.get(call, read);
    return typeof pointer === 'string' && !read.startsWith('item.')
      ? [{ id, label: `${id}'s ${read}`, pointer }]
      : [];
  });
}

function clashesIn(all: Place[]): Contradiction[] {
  const places = all.filter(({ pointer }) => pointer !== 'absent');
  const onEnvelope = places
    .filter(({ pointer }) =>
      envelope.some((own) => pointer === own || (own !== '/data' && pointer.startsWith(`${own}/`))),
    )
    .map(({ id, label, pointer }) => ({
      id,
      text: `${label} is ${pointer}, where the envelope has its own field; point at what is inside /data`,
    }));
  const onOthers = places.flatMap((place, index) =>
    places
      .slice(index + 1)
      .filter((other) => overlap(place.pointer, other.pointer))
      .map((other) => ({
        id: other.id,
        text: `${other.label} (${other.pointer}) and ${place.label} (${place.pointer}) are in one another's place`,
      })),
  );
  return [...onEnvelope, ...onOthers];
}

function clashingCalls(values: GapValues): Contradiction[] {
  const seen = new Map(documentedCalls);
  return idsOf('operation').flatMap((id) => {
    const call = gapValue(values, id);
    if (typeof call !== 'object' || call === null) return [];
    const { method, path } = call as { method: string; path: string };
    const key = `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
    const other = seen.get(key);
    seen.set(key, id);
    return other ? [{ id, text: `${id} and ${other} are both called by ${method} ${path}` }] : [];
  });
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function idsOf(kind: string): string[] {
  return gaps.filter((gap) => gap.kind === kind).map((gap) => gap.id);
}

function gapValue(values: GapValues, id: string): unknown {
  return (values as unknown as Record<string, unknown>)[id];
}
