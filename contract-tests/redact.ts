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
          formsOf(value).reduce(
            (all, form) => hideBeginnings(all.replaceAll(form, `{${name}}`), form, name),
            redacted,
          ),
        text,
      ),
  };
}

/** Texts are cut to their beginning before they come here, which "…" shows; a secret may have been cut with them. */
function hideBeginnings(text: string, form: string, name: string): string {
  if (!text.includes('…')) return text;
  const lengths = Array.from(
    { length: Math.max(0, form.length - shortest) },
    (_, left) => form.length - 1 - left,
  );
  return lengths.reduce((all, length) => all.replaceAll(`${form.slice(0, length)}…`, `{${name}}…`), text);
}

/** Fewer characters of a secret give nothing away. */
const shortest = 4;

/** A secret as it may stand in a text: as it is, escaped in JSON, percent-encoded, in base64. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return [...new Set([value, escaped, encodeURIComponent(value), base64])];
}
