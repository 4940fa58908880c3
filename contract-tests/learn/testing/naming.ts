// Spellings of names.

/** The words of a name in any spelling, in lower case: "siteId" and "SITE-ID" return ["site", "id"]. */
export function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

export function camel(name: string): string {
  const [first = '', ...others] = wordsIn(name);
  return first + others.map(capitalize).join('');
}

export function pascal(name: string): string {
  return wordsIn(name).map(capitalize).join('');
}

export function snake(name: string): string {
  return wordsIn(name).join('_');
}

export function kebab(name: string): string {
  return wordsIn(name).join('-');
}

/** "Site Id". */
export function titleCase(name: string): string {
  return wordsIn(name).map(capitalize).join(' ');
}

export function plural(noun: string): string {
  if (/(content|media|ai|auth|health|billing|analytics|search|dns|usage)$/i.test(noun)) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
