// Callers in this process see identifiers above 2^52 as bigints; the world stores stand-in numbers.
import { assignBigint, hasLongIds, showLongId, showLongIds } from '../world/long-ids.ts';

type Method = (...args: unknown[]) => unknown;

/** The types say `number`, though worlds with long identifiers have bigints. */
export function withLongIds<Controlled extends object>(control: Controlled): Controlled {
  return new Proxy(control, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => show((method as Method).apply(target, args.map(read)));
    },
  });
}

export function show<Value>(value: Value): Value {
  if (value instanceof Promise) return value.then(show) as Value;
  return hasLongIds() ? (change(value, showPlain) as Value) : value;
}

function showPlain(value: unknown): unknown {
  if (typeof value === 'string') return showLongIds(value);
  return typeof value === 'number' ? showLongId(value) : value;
}

/** The arguments of a listener are translated the other way, since the control gives them. */
function read(value: unknown): unknown {
  if (typeof value === 'function') return (...heard: unknown[]) => (value as Method)(...heard.map(show));
  return change(value, assignBigint);
}

function change(value: unknown, changePlain: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => change(item, changePlain));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return changePlain(value);
  const members = Object.entries(value).map(([name, part]) => [
    String(changePlain(name)),
    change(part, changePlain),
  ]);
  return Object.fromEntries(members);
}
