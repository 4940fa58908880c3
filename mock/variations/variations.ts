// Variations are legal behaviour that differs from the mock's default, to find clients and checks that rely on it.
import type { Json } from '../../openapi/json.ts';
import { parsePointer } from '../../openapi/json-pointer.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Answer } from '../http/render-envelope.ts';
import { writeJson } from '../webhooks/render.ts';
import type { Delivery } from '../world/entries.ts';
import { drawBetween, namedSource } from '../world/random.ts';
import {
  changeTexts,
  mixOffsets,
  shuffle,
  splitSecond,
  tidyName,
  tidyUrl,
  type VariationContext,
  widenAnswer,
  widenBody,
  writeOtherDate,
} from './vary-messages.ts';

/** How a variation changes the behaviour of the service; a missing member changes nothing. */
export interface Habits {
  /** The duration of a creation or import of a site. */
  creationMs?: number;
  /** The delay until new tokens, API keys and subscriptions are known. */
  unknownAtFirstMs?: number;
  /** How long a deleted API key is still accepted. */
  deletedKeyMs?: number;
  /** Only sessions create and delete API keys, even if the profile allows API keys. */
  keysBySession?: true;
  /** How long a session token is accepted after its expiry. */
  expiryLagMs?: number;
  /** Accepts a token after any scheme, and as the password of Basic. */
  anyScheme?: true;
  /** Also accepts a password with upper and lower case swapped. */
  swappedCase?: true;
  /** How far lists and quotas lag behind. */
  listLagMs?: number;
  /** Reads an identifier up to its last leading digit: 101x as 101. */
  lenientIds?: true;
  clockAheadMs?: number;
  /** Answers unknown paths and methods as a web server in front of the service would. */
  outside?: 'html' | 'empty';
  /** The Content-Type of answers; undefined omits it. */
  answerType?: { is: string | undefined };
  /** Numeric identifiers of sites, contents and keys become strings in answers. */
  textIds?: true;
  /** Numeric identifiers have 19 digits, beyond 2^53. */
  longIds?: true;
}

/** The functions return copies and never change their input. */
interface Changes extends Habits {
  envelope?: (envelope: Json, context: VariationContext) => Json;
  customBody?: (body: Json, context: VariationContext) => Json;
  /** On the chat channels, whose robots validate messages. */
  robotBody?: (body: Json, context: VariationContext) => Json;
  /** Changes the body of a subscription's creation before validation, except its member named `secret`. */
  subscriptionBody?: (body: unknown, secret: string) => unknown;
  pushHeaders?: (headers: Record<string, string>, context: VariationContext) => Record<string, string>;
  answerDelayMs?: (context: VariationContext) => number;
  pushDelayMs?: (context: VariationContext) => number;
  isSentTwice?: (context: VariationContext) => boolean;
}

interface Variation extends Changes {
  id: string;
  title: string;
  /** Excluded from "all". */
  onlyByName: boolean;
}

/** In the order of application; rows `(by name)` may contradict each other, so "all" excludes them. */
const rows: Record<`${string}: ${string}.`, Changes> = {
  'mixed-offsets: The `timestamp` of a push has `Z` in some bodies and other UTC offsets in others.': {
    customBody: mixOffsets,
  },
  'extra-fields: Answers and custom push bodies have unknown members.': {
    envelope: widenAnswer,
    customBody: widenBody,
  },
  'shuffled-keys: Object members are in random order, in answers and pushes.': {
    envelope: shuffle,
    customBody: shuffle,
    robotBody: shuffle,
  },
  'slow-answers: Some answers of the service take up to 150 ms.': {
    answerDelayMs: ({ name, draw }, source = draw(name)) =>
      drawBetween(source, 1, 8) === 1 ? drawBetween(source, 0, 150) : 0,
  },
  // Delivery is at least once, so the copy does not count as an attempt and its answer is ignored.
  'duplicate-pushes: Some pushes arrive twice in immediate succession, with identical bytes.': {
    isSentTwice: ({ name, draw }) => drawBetween(draw(name), 1, 3) === 1,
  },
  'reordered-pushes: Pushes may arrive in a different order than their events.': {
    pushDelayMs: ({ name, draw }) => drawBetween(draw(name), 0, 40),
  },
  'other-dates (by name): The `timestamp` of a push is an ISO 8601 ordinal date in some bodies, and a week date in others.':
    { customBody: writeOtherDate },
  'split-seconds (by name): `X-Webhook-Timestamp` has a fraction.': { pushHeaders: splitSecond },
  'lenient-names (by name): Event and channel names are accepted in capitals and with surrounding white space, and shown as in the document.':
    { subscriptionBody: changeTexts(tidyName) },
  'tidied-urls (by name): Receiving URLs are normalized, and a missing scheme is added.': {
    subscriptionBody: changeTexts(tidyUrl),
  },
  'late-effects (by name): New tokens, API keys and subscriptions work after 0.7 s, and a deleted API key still works for 1.5 s.':
    { unknownAtFirstMs: 700, deletedKeyMs: 1500 },
  'cached-credentials (by name): A deleted API key still works for 45 s, and an expired session token for a minute.':
    { deletedKeyMs: 45_000, expiryLagMs: 60_000 },
  'keys-by-session (by name): Only a session can create or delete API keys.': {
    keysBySession: true,
  },
  'any-scheme (by name): A token is accepted after any word instead of Bearer, and as the password of the scheme Basic.':
    { anyScheme: true },
  'swapped-case (by name): A password is also accepted with upper and lower case swapped.': {
    swappedCase: true,
  },
  'late-lists (by name): Lists lag by 1.5 s, and a deleted API key counts towards the quota for that time.': {
    listLagMs: 1500,
  },
  'slow-creations (by name): Creating or importing a site takes 3 s, and its idempotency window starts at the end.':
    { creationMs: 3000 },
  'lenient-ids (by name): An identifier in a path is read up to its last leading digit: `101x` means 101.': {
    lenientIds: true,
  },
  'text-json (by name): Answers are declared as `text/json`.': { answerType: { is: 'text/json' } },
  'plain-answers (by name): Answers are declared as plain text.': {
    answerType: { is: 'text/plain; charset=utf-8' },
  },
  'untyped-answers (by name): Answers have no Content-Type.': { answerType: { is: undefined } },
  'html-outside (by name): Unknown paths and methods get an HTML page.': {
    outside: 'html',
  },
  'nothing-outside (by name): Unknown paths and methods get an empty answer.': {
    outside: 'empty',
  },
  'text-ids (by name): Identifiers of sites, contents and API keys are strings in answers.': {
    textIds: true,
  },
  'long-ids (by name): Numeric identifiers have 19 digits, more than a JavaScript number can represent.': {
    longIds: true,
  },
  'clock-ahead (by name): The clock of the whole deployment is 6 minutes ahead, and so is the `Date` header.':
    { clockAheadMs: 360_000 },
};

const rowName = /^(?<id>\S+)(?<mark> \(by name\))?: (?<title>.+)$/;

export const variations: readonly Variation[] = Object.entries(rows).map(([name, changes]) => {
  const { id = '', mark, title = '' } = rowName.exec(name)?.groups ?? {};
  return { id, title, onlyByName: mark !== undefined, ...changes };
});

interface Options {
  seed: number;
  profile: Profile;
}

/** Each `name` identifies a message: the trace id of an answer, or an attempt of a push. */
export type Variations = ReturnType<typeof combineVariations>;

/** The same seed changes the same messages alike. Returns undefined if none is on; throws an Error for an unknown id. */
export function createVariations(ids: readonly string[], options: Options): Variations | undefined {
  const unknown = explainUnknown(ids);
  if (unknown !== undefined) throw new Error(unknown);
  const chosen = chosenBy(ids);
  return chosen.length > 0 ? combineVariations(chosen, options) : undefined;
}

export function habitsOf(ids: readonly string[]): Habits {
  return Object.assign({}, ...chosenBy(ids)) as Habits;
}

/** Replaces "all" by the ids that it selects. */
export function variationsOn(ids: readonly string[]): string[] {
  return chosenBy(ids).map(({ id }) => id);
}

function chosenBy(ids: readonly string[]): Variation[] {
  return variations.filter(({ id, onlyByName }) => ids.includes(id) || (ids.includes('all') && !onlyByName));
}

function combineVariations(chosen: readonly Variation[], { seed, profile }: Options) {
  // Reserved are the keys and texts of the profile, and the steps of its JSON pointers.
  const reserved = new Set([...documented, ...textsIn(profile.values)]);
  const secret = profile.values['subscription.request.secret'];
  const contextOf = ({ id }: Variation, name: string): VariationContext => ({
    name,
    draw: (text) => namedSource(`${seed} ${id} ${text}`),
    reserved,
  });
  const change = (kind: 'envelope' | 'customBody' | 'robotBody', body: string, name: string): Json =>
    chosen.reduce(
      (varied, one) => one[kind]?.(varied, contextOf(one, name)) ?? varied,
      // The mock itself has rendered the body, always as an object.
      JSON.parse(body) as Json,
    );
  const delay = (kind: 'answerDelayMs' | 'pushDelayMs', name: string) =>
    chosen.reduce((sum, one) => sum + (one[kind]?.(contextOf(one, name)) ?? 0), 0);
  return {
    answer(answer: Answer, name: string): Answer {
      return { ...answer, body: JSON.stringify(change('envelope', answer.body, name)) };
    },
    answerDelay: (name: string) => delay('answerDelayMs', name),
    subscriptionBody: (body: unknown) =>
      chosen.reduce((read, one) => one.subscriptionBody?.(read, secret) ?? read, body),
    /** The changed body is the one that is signed, sent, retried and logged. */
    pushBody(body: string, { id, channel }: Pick<Delivery, 'id' | 'channel'>): string {
      const name = `push ${id}`;
      if (channel !== 'custom') return JSON.stringify(change('robotBody', body, name));
      return writeJson(change('customBody', body, name), profile.values['webhook.body-style']);
    },
    pushHeaders: (headers: Record<string, string>, name: string) =>
      chosen.reduce((sent, one) => one.pushHeaders?.(sent, contextOf(one, name)) ?? sent, headers),
    pushDelay: (name: string) => delay('pushDelayMs', name),
    isSentTwice: (name: string) => chosen.some((one) => one.isSentTwice?.(contextOf(one, name))),
  };
}

export function explainUnknown(ids: readonly string[]): string | undefined {
  const known = [...variations.map(({ id }) => id), 'all'];
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  return `there is no variation "${unknown}"${didYouMean(unknown, known)} (known: ${known.join(', ')})`;
}

/** Member names of answers and pushes (interface document, sections 2.1 and 6.3). */
const documented = [
  ...['code', 'message', 'data', 'trace_id', 'list', 'total'],
  ...['event', 'timestamp', 'site_id', 'site_name', 'pages', 'version'],
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...parsePointer(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}
