// JSON Pointers (RFC 6901) into plain JSON values. A segment of digits is an array index where an array stands or is to be made.

/** The reference tokens of a pointer: "/data/a~1b" gives ["data", "a/b"]. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of reference tokens. */
export function formatPointer(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What stands at a pointer, or undefined. Own properties only, so that `__proto__` is never followed. */
export function getAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const segment of parsePointer(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = Reflect.get(current, segment);
  }
  return current;
}

/** Puts a value at a pointer, making the objects (or, before an index, arrays) on the way. */
export function setAt(target: object, pointer: string, value: unknown): void {
  const segments = parsePointer(pointer);
  let current = target;
  for (const [index, segment] of segments.entries()) {
    if (index === segments.length - 1) {
      define(current, segment, value);
      return;
    }
    const next: unknown = Object.hasOwn(current, segment) ? Reflect.get(current, segment) : undefined;
    if (typeof next === 'object' && next !== null) {
      current = next;
      continue;
    }
    const made = isIndex(segments[index + 1]) ? [] : {};
    define(current, segment, made);
    current = made;
  }
}

/** Takes what stands at a pointer out of its object. */
export function removeAt(target: object, pointer: string): void {
  const segments = parsePointer(pointer);
  const parent = getAt(target, formatPointer(segments.slice(0, -1)));
  const last = segments.at(-1);
  if (typeof parent === 'object' && parent !== null && last !== undefined)
    Reflect.deleteProperty(parent, last);
}

/** Whether a segment is an array index. */
export function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^(0|[1-9]\d{0,3})$/.test(segment);
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
