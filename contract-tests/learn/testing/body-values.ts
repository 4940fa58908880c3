// The bodies that operations take, from the templates of a profile.
import { isObject } from '../../../openapi/json.ts';
import {
  fillTemplate,
  patternOf,
  placeholdersOf,
  type Template,
  wholePlaceholder,
} from '../../../openapi/template.ts';
import type { ApiProperty, ApiValue, Words } from './api-model.ts';
import { pascal } from './naming.ts';
import { knownValue } from './value-words.ts';

interface BodyOptions {
  model: string;
  /** What is said of a constant in it. */
  ofConstants: Words;
  /** The type of the values that a profile gives types. */
  retype: (role: string, value: ApiValue) => ApiValue;
}

/** What a call may leave out. */
const optional = ['note', 'secret', 'event', 'page', 'page_size', 'offset', 'limit', 'cursor'];

export function valueOfTemplate(
  template: Template,
  options: BodyOptions,
  place: readonly string[] = [],
): ApiValue {
  if (typeof template === 'string') return valueOfText(template, options, place);
  if (Array.isArray(template)) {
    const [first] = template.length === 1 ? template : [];
    const items =
      first === undefined ? ({ type: 'any' } as const) : valueOfTemplate(first, options, [...place, '0']);
    const example = fillTemplate(template, samples);
    return { type: 'array', items, minItems: template.length, ...say(template, place), example };
  }
  if (!isObject(template)) return constant(template, options);
  const properties = Object.entries(template).map(
    ([name, part]): ApiProperty => ({
      name,
      isRequired: isRequired(part),
      value: valueOfTemplate(part, { ...options, model: options.model + pascal(name) }, [...place, name]),
    }),
  );
  return { type: 'object', properties, model: options.model };
}

function valueOfText(template: string, options: BodyOptions, place: readonly string[]): ApiValue {
  const name = wholePlaceholder(template);
  if (name !== undefined) return options.retype(name, knownValue(name, place));
  if (placeholdersOf(template).length === 0) return constant(template, options);
  const example = fillTemplate(template, samples);
  return {
    type: 'string',
    pattern: patternOf(template).source,
    example,
    ...say(template, place),
    needsWords: true,
  };
}

/** What stands in a text or a list among other things. */
function say(template: Template, place: readonly string[]): Pick<ApiValue, 'words' | 'needsWords'> {
  const all = placeholdersOf(template).map((name) => knownValue(name, place).words ?? { en: name, zh: name });
  if (all.length === 0) return {};
  const words = { en: all.map(({ en }) => en).join(', '), zh: all.map(({ zh }) => zh).join('、') };
  return { words, needsWords: true };
}

function constant(value: unknown, { ofConstants }: BodyOptions): ApiValue {
  const type =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : (typeof value as 'string' | 'boolean' | 'object');
  const named = typeof value === 'number' ? 'integer' : type;
  return { type: named, constant: { value }, words: ofConstants, needsWords: true };
}

function isRequired(part: Template): boolean {
  const names = placeholdersOf(part);
  return names.length === 0 || names.some((name) => !optional.includes(name));
}

const samples: Readonly<Record<string, unknown>> = Object.fromEntries(
  [
    ...[
      'siteID',
      'contentID',
      'subscriptionID',
      'keyID',
      'name',
      'version',
      'note',
      'source',
      'prompt',
      'text',
    ],
    ...[
      'title',
      'form',
      'fields',
      'author',
      'token',
      'event',
      'page',
      'page_size',
      'offset',
      'limit',
      'cursor',
    ],
  ].map((role) => [role, knownValue(role, []).example ?? role]),
);
