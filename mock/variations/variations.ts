// The table of variations, and the active ones combined to change outgoing messages.
import type { Json } from '../../openapi/json.ts';
import { nearest } from '../../openapi/nearest.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Answer } from '../http/render-envelope.ts';
import { writeJson } from '../webhooks/render.ts';
import type { Delivery } from '../world/entries.ts';
import { namedSource } from '../world/random.ts';
import { duplicatePushes } from './duplicate-pushes.ts';
import { extraFields } from './extra-fields.ts';
import type { Habits } from './habits.ts';
import { mixedOffsets } from './mixed-offsets.ts';
import { oddHabits } from './odd-habits.ts';
import { otherDates } from './other-dates.ts';
import { reorderedPushes } from './reordered-pushes.ts';
import { reservedNames } from './reserved-names.ts';
import { shuffledKeys } from './shuffled-keys.ts';
import { slowAnswers } from './slow-answers.ts';
import { splitSeconds } from './split-seconds.ts';
import { lenientNames, tidiedUrls } from './tidy-body.ts';
import type { Variation, VariationContext } from './variation.ts';

/** In the order in which they are applied. */
export const variations: readonly Variation[] = [
  mixedOffsets,
  extraFields,
  shuffledKeys,
  slowAnswers,
  duplicatePushes,
  reorderedPushes,
  otherDates,
  splitSeconds,
  lenientNames,
  tidiedUrls,
  ...oddHabits,
];

/** Selects all variations that are not chosen by their name alone. */
const everyVariation = 'all';

/** The active variations. */
export interface Variations {
  /** Changes an answer; `name` is its trace id. */
  answer(answer: Answer, name: string): Answer;
  answerDelay(name: string): number;
  /** The body of a creation of a subscription as the service reads it. */
  subscriptionBody(body: unknown): unknown;
  /** Changes the body of a push before it is signed, sent, retried and logged. */
  pushBody(body: string, push: Pick<Delivery, 'id' | 'channel'>): string;
  /** Changes the headers of an attempt; `name` is that of the attempt. */
  pushHeaders(headers: Record<string, string>, name: string): Record<string, string>;
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
  const chosen = chosenBy(ids);
  return chosen.length > 0 ? combineVariations(chosen, options) : undefined;
}

/** What the variations of the given ids change in the service itself. */
export function habitsOf(ids: readonly string[]): Habits {
  return Object.assign({}, ...chosenBy(ids).map((one) => one.habits ?? {})) as Habits;
}

/** The ids of those that the given ids select. */
export function variationsOn(ids: readonly string[]): string[] {
  return chosenBy(ids).map(({ id }) => id);
}

function chosenBy(ids: readonly string[]): Variation[] {
  return variations.filter(
    ({ id, onlyByName }) => ids.includes(id) || (ids.includes(everyVariation) && !onlyByName),
  );
}

function combineVariations(chosen: readonly Variation[], { seed, profile }: VariationOptions): Variations {
  const reserved = reservedNames(profile);
  const secret = profile.values['subscription.request.secret'];
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
    subscriptionBody: (body) =>
      chosen.reduce((read, one) => one.subscriptionBody?.(read, secret) ?? read, body),
    pushHeaders: (headers, name) =>
      chosen.reduce((sent, one) => one.pushHeaders?.(sent, contextOf(one, name)) ?? sent, headers),
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
