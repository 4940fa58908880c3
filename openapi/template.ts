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
 * a longer string it is written out. A property is left out when a value that its string needs is not given.
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

/** A path template with its placeholders filled and percent-encoded; those whose value is not given stay. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(placeholder, (text, name: string) => {
    const value = ownValue(values, name);
    return value === undefined ? text : encodeURIComponent(String(value));
  });
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
  const [, ...texts] = patternOf(template).exec(text) ?? [];
  return Object.fromEntries(texts.map((value, index) => [names[index] ?? '', value]));
}

/** A regular expression that the filled string matches, one group a placeholder; where one stands again, so does its text. */
export function patternOf(template: string): RegExp {
  const names = placeholdersOf(template);
  const parts = template.split(placeholder).map((part, index, all) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const first = all.findIndex((other, at) => at % 2 === 1 && other === part);
    return first === index ? '([\\s\\S]*)' : `(?:\\${names.indexOf(part) + 1})`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

function fillString(template: string, values: Readonly<Record<string, unknown>>): unknown {
  const name = wholePlaceholder(template);
  if (name !== undefined) return ownValue(values, name);
  const isGiven = (inner: string) => ownValue(values, inner) !== undefined;
  if (!placeholdersOf(template).every(isGiven)) return undefined;
  return template.replace(placeholder, (_text, inner: string) => String(ownValue(values, inner)));
}

/** Own properties only: a placeholder may be named as something that every object inherits. */
function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function eachString(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) eachString(part, visit);
}
