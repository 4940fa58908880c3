// Tells words that programs are written with from what people, or generators of tokens, have written.

/** The words of a name, in small letters: "siteId", "site_id" and "site-id" are "site" and "id". */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{M}]+|\p{N}+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
}

/** Whether a text may be the name of a member or a parameter. */
export function isName(text: string): boolean {
  return /^[\p{L}_$@][\p{L}\p{N}_$.:[\]-]{0,63}$/u.test(text) && !looksRandom(text);
}

/** Whether a part of a path may be one of its fixed words, such as "sites", "v2" or "publish-failing". */
export function isPathWord(text: string): boolean {
  if (text.length > 48 || !/^[A-Za-z_~$][A-Za-z_.~:$-]*\d{0,2}$/.test(text)) return false;
  // "oauth2" is a word, "key-2" is an identifier.
  return !/[^A-Za-z]\d+$/.test(text) && !looksRandom(text);
}

const links = new Set(
  'invite invites invitation invitations reset magic verify share confirm activate join unsubscribe sso'.split(
    ' ',
  ),
);

/** Whether what follows a part of a path may be all that a link needs to let somebody in: "invites", "reset-password", "s". */
export function leadsToLink(text: string): boolean {
  return /^([st]|preview)$/i.test(text) || wordsOf(text).some((word) => links.has(word));
}

/** Whether a text has the form of such a link: several words, or a long one. */
export function mayBeLink(text: string): boolean {
  return /^\p{L}+([-.]\p{L}+)+$/u.test(text) || /^\p{L}{12,}$/u.test(text);
}

/** Whether a text may be one of a few that a program knows, such as "live", "content.publish" or "zh-CN". */
export function isConstantWord(text: string): boolean {
  return /^[A-Za-z]+([._:-][A-Za-z]+)*$/.test(text) && text.length <= 32 && !looksRandom(text);
}

const vowels = /[aeiouy]/gi;

/** Whether a text has the look of a token: digits here and there, or letters in an order that nobody speaks. */
export function looksRandom(text: string): boolean {
  const digits = text.match(/\d+/g) ?? [];
  if (digits.length > 2 || digits.join('').length > 4) return true;
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters < 8) return false;
  const words = wordsOf(text).filter((word) => !/\d/.test(word));
  const isChopped = letters / Math.max(words.length, 1) < 2.5;
  return isChopped || (text.match(vowels)?.length ?? 0) / letters < 0.18;
}

/** The singular of an English noun, near enough to compare it with another one. */
export function singular(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word;
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.replace(/es$/, '');
  return word.replace(/s$/, '');
}

const idWords = new Set([
  'id',
  'ids',
  'uuid',
  'guid',
  'uid',
  'no',
  'code',
  'slug',
  'handle',
  'key',
  'identifier',
]);

/** What a name is an identifier of: "siteId" of "site", "id" of ""; undefined where it names no identifier. */
export function identifiedBy(name: string): string | undefined {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || !idWords.has(last)) return undefined;
  return words.slice(0, -1).map(singular).join('-');
}
