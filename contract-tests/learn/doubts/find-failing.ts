// What in the query or body of a call makes a publish fail: a flag such as "simulate_failure", or a mode "fail".
import { type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import { wordsOf } from '../words/words.ts';

export interface Failing {
  place: 'query' | 'body';
  pointer: string;
  /** With which it fails; undefined where nothing says which of several that is. */
  value: unknown;
  /** Whether it has no other value, and is always there. */
  isAlways: boolean;
}

export function findFailing({ query, body = [], seen }: DescribedOperation): Failing | undefined {
  const inPlace = (place: Failing['place'], fields: readonly Field[]) =>
    fields.flatMap((field): Failing[] => {
      const possible = seen ? field.values : (field.allowed ?? []);
      const value = failingValue(field, possible, seen !== undefined);
      if (!value) return [];
      const isAlways = field.isRequired && possible.length === 1;
      return [{ place, pointer: field.pointer, value: value.value, isAlways }];
    });
  return [...inPlace('body', body), ...inPlace('query', query)][0];
}

/** Where calls were recorded, one of them has to have asked for it. */
function failingValue(
  field: Field,
  possible: readonly unknown[],
  isSeen: boolean,
): { value: unknown } | undefined {
  const name = nameOf(field);
  if (isAboutFailures(name)) return undefined;
  if (!saysFailure(name)) {
    const value = outcomes.test(name) ? possible.find((one) => saysFailure(String(one))) : undefined;
    return value === undefined || isAboutFailures(String(value)) ? undefined : { value };
  }
  const on = possible.find(isOn);
  if (on !== undefined) return { value: on };
  if (isSeen) return undefined;
  if (field.types.includes('boolean')) return { value: true };
  return field.allowed && { value: possible.length === 1 ? possible[0] : undefined };
}

/** Names of what says how a call ends. */
const outcomes = /^(mode|outcome|result|scenario|simulate)$/i;

/** "fail_on_warnings", "failFast" and "notify-failures" say what to do about a failure, and ask for none. */
const aboutFailures = new Set(
  'only on if when unless fast early over safe soft open closed silently count limit policy threshold warning warnings unchanged allow ignore notify continue retry skip stop rollback alert log max'.split(
    ' ',
  ),
);

/** Whether a name or value says what is done about failures. */
export function isAboutFailures(text: string): boolean {
  return wordsOf(text).some((word) => aboutFailures.has(word.text));
}

/** To simulate alone may be to do nothing. */
export function saysFailure(text: string): boolean {
  return wordsOf(text).some((word) => word.concept === 'fail' && !simulations.test(word.text));
}

const simulations = /^(simulat|模拟)/;

/** Whether a flag is set: 1 is true in a query. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(true|yes|on|1)$/i.test(value));
}

export function isOff(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(false|no|off|0)$/i.test(value));
}
