// The control within the process, with long identifiers as bigints in place of what stands for them.
import { hasLongIds, keepBigint, showLongId, showLongIds } from '../world/long-ids.ts';

type Method = (...args: unknown[]) => unknown;

/** The same control. Its types say `number`: only worlds with long identifiers have others. */
export function withLongIds<Controlled extends object>(control: Controlled): Controlled {
  return new Proxy(control, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => show((method as Method).apply(target, args.map(keep)));
    },
  });
}

/** What the control gives. */
export function show<Value>(value: Value): Value {
  if (value instanceof Promise) return value.then(show) as Value;
  return hasLongIds() ? (change(value, showPlain) as Value) : value;
}

function showPlain(value: unknown): unknown {
  if (typeof value === 'string') return showLongIds(value);
  return typeof value === 'number' ? showLongId(value) : value;
}

/** What the control is given; a listener is given what it hears. */
function keep(value: unknown): unknown {
  if (typeof value === 'function') return (...heard: unknown[]) => (value as Method)(...heard.map(show));
  return change(value, keepBigint);
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
