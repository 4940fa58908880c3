// Templates of JSON bodies and paths: strings in them may hold "{placeholders}".

/** A JSON value whose strings may hold placeholders. */
export type Template = unknown;

const placeholder = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;
const whole = /^\{([A-Za-z][A-Za-z0-9_]*)\}$/;

/** The name of a string that is one placeholder and nothing else. */
export function wholePlaceholder(text: string): string | undefined {
  return whole.exec(text)?.[1];
}

/** The names of all placeholders in a template, each once, in order. */
export function placeholdersOf(template: Template): string[] {
  const names = new Set<string>();
  eachString(template, (text) => {
    for (const match of text.matchAll(placeholder)) if (match[1] !== undefined) names.add(match[1]);
  });
  return [...names];
}

/**
 * A template with its placeholders filled. A string that is one placeholder takes the value as it is (number, object, …); inside
 * a longer string it is written out. A property whose value is not given is left out.
 */
export function fillTemplate(template: Template, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') return fillString(template, values);
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** A path template with its placeholders filled and percent-encoded. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(placeholder, (text, name: string) =>
    values[name] === undefined ? text : encodeURIComponent(String(values[name])),
  );
}

/** What a body that was made from a template holds in the placeholders' places: the inverse of `fillTemplate`. */
export function readTemplate(template: Template, body: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  readInto(values, template, body);
  return values;
}

function readInto(values: Record<string, unknown>, template: Template, body: unknown): void {
  if (body === undefined) return;
  if (typeof template === 'string') {
    const name = wholePlaceholder(template);
    if (name !== undefined) values[name] = body;
    else if (typeof body === 'string') Object.assign(values, readString(template, body));
    return;
  }
  if (typeof template !== 'object' || template === null || typeof body !== 'object' || body === null) return;
  for (const [key, part] of Object.entries(template)) {
    if (Object.hasOwn(body, key)) readInto(values, part, Reflect.get(body, key));
  }
}

function readString(template: string, text: string): Record<string, string> {
  const names = placeholdersOf(template);
  const found = patternOf(template).exec(text);
  return Object.fromEntries(names.map((name, index) => [name, found?.[index + 1] ?? '']));
}

/** A regular expression that the filled string matches, one group a placeholder. */
export function patternOf(template: string): RegExp {
  const literal = template
    .split(placeholder)
    .map((part, index) => (index % 2 === 1 ? '(.*)' : part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')));
  return new RegExp(`^${literal.join('')}$`, 's');
}

function fillString(template: string, values: Readonly<Record<string, unknown>>): unknown {
  const name = wholePlaceholder(template);
  if (name !== undefined) return values[name];
  return template.replace(placeholder, (text, inner: string) => String(values[inner] ?? text));
}

function eachString(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) eachString(part, visit);
}
