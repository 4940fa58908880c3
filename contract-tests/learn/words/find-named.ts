// Finds the field that bears one of several names, or is described by one.
import { parsePointer } from '../../../openapi/json-pointer.ts';
import { type Field, nameOf } from '../described-operation.ts';
import { resources } from './vocabulary.ts';
import { wordsOf } from './words.ts';

export interface Named {
  field: Field;
  /** 0 for the likeliest name. */
  rank: number;
}

/** The fields that bear one of the names, the best first; where none does, those whose descriptions have one. */
export function findNamed(fields: readonly Field[], names: readonly string[]): Named[] {
  const byName = findByName(fields, names);
  return byName.length > 0 ? byName : rankAll(fields, (field) => rankText(field, names));
}

/** Without their descriptions. */
export function findByName(fields: readonly Field[], names: readonly string[]): Named[] {
  const plain = names.map(joined);
  return rankAll(fields, ({ pointer }) => rankOf(pointer, plain));
}

function rankAll(fields: readonly Field[], rankField: (field: Field) => number | undefined): Named[] {
  return fields
    .flatMap((field): Named[] => {
      const rank = rankField(field);
      // Of two alike, the one further out.
      return rank === undefined ? [] : [{ field, rank: rank + field.pointer.length / 10_000 }];
    })
    .sort((one, other) => one.rank - other.rank);
}

/** By the last segment, by the last two, or by the last without what it is about: "article_title". */
function rankOf(pointer: string, names: readonly string[]): number | undefined {
  const segments = parsePointer(pointer);
  const [before = '', last = ''] = ['', ...segments].slice(-2);
  const ranks = [
    [joined(last), 0],
    [joined(before + last), 0],
    [withoutResource(last), 0.5],
  ] as const;
  const found = ranks.flatMap(([name, more]) => {
    const index = name === '' ? -1 : names.indexOf(name);
    return index < 0 ? [] : [index + more];
  });
  return found.length === 0 ? undefined : Math.min(...found);
}

/** By what people say of it, from its beginning or to its end: "Title of the article", "文章标题". The more of the text a name is, the better. */
function rankText({ pointer, texts }: Field, names: readonly string[]): number | undefined {
  const [text = ''] = texts;
  if ([nameOf({ pointer }), text].some(namesIdentifier)) return undefined;
  const said = text
    .slice(0, 120)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const ranks = names.flatMap((name, index) => {
    const isHan = /\p{Script=Han}/u.test(name);
    const [own, space] = isHan ? [name.replaceAll(' ', ''), ''] : [name, ' '];
    const found = said === own || said.startsWith(own + space) || said.endsWith(space + own);
    return found ? [index + (said.length - own.length) / 10] : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** As gRPC has it: "The resource name, sites/{site}". */
export function isResourceName(text: string): boolean {
  return /\bresource name\b/i.test(text.slice(0, 80));
}

function namesIdentifier(name: string): boolean {
  return wordsOf(name).some(({ text }) => /^(id|uid|uuid|identifier|编号|标识)$/.test(text));
}

function joined(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function withoutResource(name: string): string {
  const words = wordsOf(name).filter(({ concept }) => !resources.some((one) => one === concept));
  return words.map(({ text }) => text).join('');
}
