// Finds the field names of a subscription request in refusals, or by sending all likely names at once.
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../../../openapi/generated/types.ts';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { answerLeaves, listsIn } from '../../core/json-leaves.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { plainEvents, sendCreation } from '../ask/create.ts';
import {
  eachField,
  fields,
  followRefusals,
  type Names,
  type Search,
  type Sent,
  sendNames,
} from './follow-refusals.ts';
import { hintedNames } from './hints.ts';
import { findNeededName, likelyNames, namesForField, spellLike, unique } from './likely.ts';

type Candidates = Record<keyof Names, readonly string[]>;

/** `refusal`: the last one, if no names were found. */
export interface NameSearch {
  names?: Names | undefined;
  created?: Sent | undefined;
  refusal?: Exchange | undefined;
}

/** `empty`: the answer to an empty body. */
export async function searchNames(search: Search, empty: Exchange): Promise<NameSearch> {
  const hints = hintsOf(empty);
  const hinted = fields.every((field) => hints[field].length > 0) ? await tryAll(search, hints) : undefined;
  if (hinted?.names) return hinted;
  if (hinted?.refusal && isOtherRefusal(hinted.refusal, empty)) return hinted;
  const followed = succeeded(empty) ? undefined : await followRefusals(search, empty);
  if (followed?.names) return followed;
  const chosen = followed?.chosen ?? {};
  const example = Object.values(chosen)[0] ?? fields.flatMap((field) => hints[field])[0];
  const all = eachField((field) => {
    const known = chosen[field];
    return known === undefined
      ? unique([...hints[field], ...spellLike(likelyNames[field], example)])
      : [known];
  });
  const trial = await tryAll(search, all);
  return trial.names ? trial : { refusal: trial.refusal ?? empty };
}

/** Another refusal than for an empty body means that the names are right and something else is wrong, for example the site. */
function isOtherRefusal(refusal: Exchange, empty: Exchange): boolean {
  const isSame =
    refusal.response.status === empty.response.status && envelopeOf(refusal).code === envelopeOf(empty).code;
  return !succeeded(refusal) && !isSame;
}

/** Everyday words count only in places for field names. */
function hintsOf(empty: Exchange): Candidates {
  const { sure, possible } = hintedNames(empty);
  const isEveryday = (name: string) => /^(events?|types?|channels?|targets?|kind|format)$/i.test(name);
  const names = unique([...sure, ...possible.filter((name) => !isEveryday(name))]);
  return eachField((field) => namesForField(field, names));
}

/** Sends all candidates in one body, then narrows each field down to one name. */
async function tryAll(search: Search, candidates: Candidates): Promise<NameSearch> {
  const sent = await sendCandidates(search, candidates);
  const { exchange } = sent;
  if (!succeeded(exchange)) return { refusal: exchange };
  const left: Candidates = { ...candidates, ...echoed(sent) };
  for (const field of fields) {
    const passes = async (some: readonly string[]) =>
      succeeded((await sendCandidates(search, { ...left, [field]: some })).exchange);
    const name = await findNeededName(left[field], passes);
    left[field] = name === undefined ? [] : [name];
  }
  const { url: [url] = [], events: [events] = [], channel: [channel] = [] } = left;
  if (url === undefined || events === undefined || channel === undefined) return { refusal: exchange };
  const names = { url, events, channel };
  const isPlain = fields.every((field) => candidates[field].length === 1);
  const created = isPlain ? sent : await sendNames(search, names);
  return succeeded(created.exchange) ? { names, created } : { refusal: exchange };
}

interface SentCandidates extends Sent {
  urls: ReadonlyMap<string, string>;
  events: ReadonlyMap<string, readonly EventName[]>;
}

/** Gives each candidate another value, so that the answer may show which one was read. */
async function sendCandidates({ probe, urlOf }: Search, candidates: Candidates): Promise<SentCandidates> {
  const path = nextPath(probe);
  const target = urlOf(path);
  const urls = new Map(
    candidates.url.map((name, index) => [name, index === 0 ? target : `${target}-${index}`]),
  );
  const events = new Map(candidates.events.map((name, index) => [name, chooseEvents(index)]));
  const channels = candidates.channel.map((name) => [name, 'custom']);
  const body = Object.fromEntries([...urls, ...events, ...channels]);
  return { path, exchange: await sendCreation(probe, body, { target }), urls, events };
}

const allEvents: readonly EventName[] = [...plainEvents, 'content.delete'];

function chooseEvents(index: number): readonly EventName[] {
  if (index === 0) return plainEvents;
  return allEvents.filter((_, bit) => ((index + 8) >> bit) & 1);
}

/** Candidates whose values the answer contains. */
function echoed({ exchange, urls, events }: SentCandidates): Partial<Record<'url' | 'events', string[]>> {
  const leaves = answerLeaves(exchange.response.json).map(({ value }) => value);
  const lists = listsIn(exchange.response.json).map(({ value }) => value);
  const url = [...urls].filter(([, value]) => leaves.includes(value)).map(([name]) => name);
  const chosen = [...events].filter(([, value]) => lists.some((list) => isDeepStrictEqual(list, value)));
  return {
    ...(url.length > 0 && { url }),
    ...(chosen.length > 0 && { events: chosen.map(([name]) => name) }),
  };
}
