// The table of variations, and the active ones combined to change outgoing messages.
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

/** Selects all variations. */
const everyVariation = 'all';

/** The active variations. */
export interface Variations {
  /** Changes an answer; `name` is its trace id. */
  answer(answer: Answer, name: string): Answer;
  answerDelay(name: string): number;
  /** Changes the body of a push before it is signed, sent, retried and logged. */
  pushBody(body: string, push: Pick<Delivery, 'id' | 'channel'>): string;
  /** `name` is that of the attempt. */
  pushDelay(name: string): number;
  isSentTwice(name: string): boolean;
}

interface VariationOptions {
  /** The same seed and the same messages give the same changes. */
  seed: number;
  profile: Profile;
}

/** The variations of the given ids, or all; undefined for no ids. Throws an Error for an unknown id. */
export function createVariations(ids: readonly string[], options: VariationOptions): Variations | undefined {
  const unknown = explainUnknown(ids);
  if (unknown !== undefined) throw new Error(unknown);
  const chosen = variations.filter(({ id }) => ids.includes(id) || ids.includes(everyVariation));
  return chosen.length > 0 ? combineVariations(chosen, options) : undefined;
}

function combineVariations(chosen: readonly Variation[], { seed, profile }: VariationOptions): Variations {
  const reserved = reservedNames(profile);
  const contextOf = ({ id }: Variation, name: string): VariationContext => ({
    name,
    draw: (text) => namedSource(`${seed} ${id} ${text}`),
    reserved,
  });
  const change = (kind: 'envelope' | 'customBody' | 'robotBody', body: string, name: string): Json =>
    chosen.reduce(
      (varied, one) => one[kind]?.(varied, contextOf(one, name)) ?? varied,
      // This mock has just written it, always as an object.
      JSON.parse(body) as Json,
    );
  const delay = (kind: 'answerDelay' | 'pushDelay', name: string) =>
    chosen.reduce((sum, one) => sum + (one[kind]?.(contextOf(one, name)) ?? 0), 0);
  return {
    answer: (answer, name) => ({ ...answer, body: JSON.stringify(change('envelope', answer.body, name)) }),
    answerDelay: (name) => delay('answerDelay', name),
    pushBody(body, { id, channel }) {
      const name = `push ${id}`;
      if (channel !== 'custom') return JSON.stringify(change('robotBody', body, name));
      return writeJson(change('customBody', body, name), profile.values['webhook.body-style']);
    },
    pushDelay: (name) => delay('pushDelay', name),
    isSentTwice: (name) => chosen.some((one) => one.isSentTwice?.(contextOf(one, name))),
  };
}

/** An error message for the first unknown variation among the ids. */
export function explainUnknown(ids: readonly string[]): string | undefined {
  const known = [...variations.map(({ id }) => id), everyVariation];
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  const guess = nearest(unknown, known);
  return `there is no variation "${unknown}"${guess ? `; did you mean "${guess}"?` : ''} (known: ${known.join(', ')})`;
}
