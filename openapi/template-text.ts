// Reads texts without regular expressions, because several placeholders would take polynomial time.

export const placeholder = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Placeholders are between the literals. */
interface Parts {
  literals: readonly string[];
  names: readonly string[];
}

/** Prefers long texts, the first one first. Returns undefined if the text does not match the template. */
export function readText(template: string, text: string): Record<string, string> | undefined {
  const parts = template.split(placeholder);
  const literals = parts.filter((_, index) => index % 2 === 0);
  return readParts({ literals, names: parts.filter((_, index) => index % 2 === 1) }, text);
}

function readParts(parts: Parts, text: string): Record<string, string> | undefined {
  const { literals, names } = parts;
  return (
    readRepeated(parts, text) ??
    readFrom(names, gapsIn(literals, text)) ??
    readFrom(names, gapsFromStart(literals, text))
  );
}

/** Replaces `RegExp` for Ajv: matches patterns of `patternOf` in linear time. */
export function matcherOf(
  source: string,
  flags: string,
): { test(text: string): boolean; toString(): string } {
  const found = [...source.matchAll(filledPart)];
  if (found.length < 2) return new RegExp(source, flags);
  const literals = source
    .slice(1, -1)
    .split(filledPart)
    .filter((_, index) => index % 2 === 0)
    .map((literal) => literal.replace(/\\(.)/gs, '$1'));
  let count = 0;
  const names = found.map(([, repeated]) => repeated ?? String(++count));
  return {
    test: (text) => readParts({ literals, names }, text) !== undefined,
    toString: () => `/${source}/${flags}`,
  };
}

/** A placeholder in a pattern of `patternOf`: any text, or the text of an earlier one. */
const filledPart = /\(\[\\s\\S\]\*\)|\(\?:\\(\d+)\)/g;

/** Searching from the end makes the first texts the longest. */
function gapsIn(literals: readonly string[], text: string): string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop() ?? '';
  let end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return undefined;
  const gaps: string[] = [];
  for (const literal of others.reverse()) {
    const at = end < literal.length ? -1 : text.lastIndexOf(literal, end - literal.length);
    if (at < first.length) return undefined;
    gaps.unshift(text.slice(at + literal.length, end));
    end = at;
  }
  return [text.slice(first.length, end), ...gaps];
}

/** Searching from the start makes the last text the longest. */
function gapsFromStart(literals: readonly string[], text: string): string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  let from = first.length;
  const gaps: string[] = [];
  for (const literal of others) {
    const at = text.indexOf(literal, from);
    if (at < 0) return undefined;
    gaps.push(text.slice(from, at));
    from = at + literal.length;
  }
  return from + last.length > text.length
    ? undefined
    : [...gaps, text.slice(from, text.length - last.length)];
}

/** The length of the text determines the length of a single repeated placeholder. */
function readRepeated({ literals, names }: Parts, text: string): Record<string, string> | undefined {
  const [name] = names;
  if (name === undefined || new Set(names).size > 1) return undefined;
  const [first = ''] = literals;
  const length = (text.length - literals.join('').length) / names.length;
  if (!Number.isInteger(length) || length < 0) return undefined;
  const value = text.slice(first.length, first.length + length);
  return literals.join(value) === text ? { [name]: value } : undefined;
}

function readFrom(
  names: readonly string[],
  texts: readonly string[] | undefined,
): Record<string, string> | undefined {
  if (!texts) return undefined;
  const values = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const text = texts[index] ?? '';
    if ((values.get(name) ?? text) !== text) return undefined;
    values.set(name, text);
  }
  return Object.fromEntries(values);
}
