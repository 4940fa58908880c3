// The table of variations, and those that are on as one thing that changes messages on their way out.
import type { Json } from '../../openapi/json.ts';
import { nearest } from '../../openapi/nearest.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Answer } from '../http/render-envelope.ts';
import { writeJson } from '../webhooks/write-json.ts';
import { namedSource } from '../world/random.ts';
import type { Delivery } from '../world/world.ts';
import { duplicatePushes } from './duplicate-pushes.ts';
import { extraFields } from './extra-fields.ts';
import { mixedOffsets } from './mixed-offsets.ts';
import { reorderedPushes } from './reordered-pushes.ts';
import { reservedNames } from './reserved-names.ts';
import { shuffledKeys } from './shuffled-keys.ts';
import { slowAnswers } from './slow-answers.ts';
import type { Variation, VariationContext } from './variation.ts';

/** In the order in which they are applied. */
export const variations: readonly Variation[] = [
  mixedOffsets,
  extraFields,
  shuffledKeys,
  slowAnswers,
  duplicatePushes,
  reorderedPushes,
];

/** All of them, as a choice. */
export const everyVariation = 'all';

/** The variations that are on. */
export interface Variations {
  /** An answer as it goes out; `name` is its trace id. */
  answer(answer: Answer, name: string): Answer;
  answerDelay(name: string): number;
  /** The body of a push as it is signed, sent, repeated and logged. */
  pushBody(body: string, push: Pick<Delivery, 'id' | 'channel'>): string;
  /** `name` is that of an attempt. */
  pushDelay(name: string): number;
  isSentTwice(name: string): boolean;
}

interface Setting {
  /** The same seed and the same messages give the same changes. */
  seed: number;
  profile: Profile;
}

/** Those of the given ids, or all; undefined where none is given, so that there is nothing to pass through. */
export function createVariations(ids: readonly string[], setting: Setting): Variations | undefined {
  const unknown = explainUnknown(ids);
  if (unknown !== undefined) throw new Error(unknown);
  const chosen = variations.filter(({ id }) => ids.includes(id) || ids.includes(everyVariation));
  return chosen.length > 0 ? combine(chosen, setting) : undefined;
}

function combine(chosen: readonly Variation[], { seed, profile }: Setting): Variations {
  const given = giver(seed, reservedNames(profile));
  const change = (kind: 'envelope' | 'customBody' | 'robotBody', body: string, name: string): Json =>
    chosen.reduce(
      (varied, one) => one[kind]?.(varied, given(one, name)) ?? varied,
      // Written by this mock just now, always as an object.
      JSON.parse(body) as Json,
    );
  const delay = (kind: 'answerDelay' | 'pushDelay', name: string) =>
    chosen.reduce((sum, one) => sum + (one[kind]?.(given(one, name)) ?? 0), 0);
  return {
    answer: (answer, name) => ({ ...answer, body: JSON.stringify(change('envelope', answer.body, name)) }),
    answerDelay: (name) => delay('answerDelay', name),
    pushBody(body, { id, channel }) {
      const name = `push ${id}`;
      if (channel !== 'custom') return JSON.stringify(change('robotBody', body, name));
      return writeJson(change('customBody', body, name), profile.values['webhook.body-style']);
    },
    pushDelay: (name) => delay('pushDelay', name),
    isSentTwice: (name) => chosen.some((one) => one.isSentTwice?.(given(one, name))),
  };
}

function giver(
  seed: number,
  taken: VariationContext['reserved'],
): (one: Variation, name: string) => VariationContext {
  return ({ id }, name) => ({
    name,
    draw: (text) => namedSource(`${seed} ${id} ${text}`),
    reserved: taken,
  });
}

/** What to tell somebody who names a variation that there is not. */
export function explainUnknown(ids: readonly string[]): string | undefined {
  const known = [...variations.map(({ id }) => id), everyVariation];
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  const guess = nearest(unknown, known);
  return `there is no variation "${unknown}"${guess ? `; did you mean "${guess}"?` : ''} (known: ${known.join(', ')})`;
}
