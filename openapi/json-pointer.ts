// RFC 6901. A segment of digits is an index into an array; setting a value creates the array if it is missing.

/** Returns unescaped tokens: "/data/a~1b" gives ["data", "a/b"]. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** Follows only own properties, never `__proto__`. */
export function getAt(value: unknown, pointer: string): unknown {
  return getPath(value, parsePointer(pointer));
}

/** Takes parsed tokens, for pointers that are used often. */
export function getPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as PlainObject)[segment];
  }
  return current;
}

/** Creates missing objects on the way, or arrays before an index. */
export function setAt(target: object, pointer: string, value: unknown): void {
  setPath(target, parsePointer(pointer), value);
}

export function setPath(target: object, path: readonly string[], value: unknown): void {
  let current = target as PlainObject;
  let key: string | undefined;
  for (const segment of path) {
    if (key !== undefined) current = childOf(current, key, segment);
    key = segment;
  }
  if (key !== undefined) put(current, key, value);
}

export function removeAt(target: object, pointer: string): void {
  const segments = parsePointer(pointer);
  const parent = getAt(target, formatPointer(segments.slice(0, -1)));
  const last = segments.at(-1);
  if (typeof parent === 'object' && parent !== null && last !== undefined)
    Reflect.deleteProperty(parent, last);
}

export function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^(0|[1-9]\d{0,3})$/.test(segment);
}

type PlainObject = Record<string, unknown>;

function childOf(parent: PlainObject, key: string, next: string): PlainObject {
  const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
  if (typeof child === 'object' && child !== null) return child as PlainObject;
  const made: unknown = isIndex(next) ? [] : {};
  put(parent, key, made);
  return made as PlainObject;
}

/** An assignment to `__proto__` would set the prototype. defineProperty for all names would be several times slower. */
function put(target: PlainObject, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
