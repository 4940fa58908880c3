// Keeps secrets out of everything that is printed or written, whatever form they stand in.

/** Secrets by the name of the environment variable that holds them, or would. */
export interface Secrets {
  /** Remembers a secret. A later value of the same name is remembered beside the earlier ones. */
  add(name: string, value: unknown): void;
  /** A text with every known secret replaced by its name in braces, such as {SITEPUB_PASSWORD}. */
  redact(text: string): string;
  /** The known values with their names, longest first. */
  entries(): readonly (readonly [value: string, name: string])[];
}

/** An empty memory of secrets. */
export function createSecrets(): Secrets {
  const names = new Map<string, string>();
  const entries = () => [...names].sort(([one], [other]) => other.length - one.length);
  return {
    add: (name, value) => {
      if (typeof value === 'string' && value !== '') names.set(value, name);
    },
    entries,
    redact: (text) =>
      entries().reduce(
        (redacted, [value, name]) =>
          formsOf(value).reduce((all, form) => all.replaceAll(form, `{${name}}`), redacted),
        text,
      ),
  };
}

/** A secret as it may stand in a text: as it is, escaped in JSON, percent-encoded, in base64. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return [...new Set([value, escaped, encodeURIComponent(value), base64])];
}
