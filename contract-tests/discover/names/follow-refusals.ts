// Follows refusals that name one missing field at a time.
import { isDeepStrictEqual } from 'node:util';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { writeJson } from '../../core/parse-json.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { plainEvents, sendCreation } from '../ask/create.ts';
import type { Probe } from '../probe.ts';
import { hintedNames } from './hints.ts';
import { namesForField, unique } from './likely.ts';

export type Names = Record<'url' | 'events' | 'channel', string>;

export const fields = ['url', 'events', 'channel'] as const;

export function eachField<T>(make: (field: keyof Names) => T): Record<keyof Names, T> {
  return { url: make('url'), events: make('events'), channel: make('channel') };
}

export interface Search {
  probe: Probe;
  /** At the receiver, or at an example address. */
  urlOf(path: string): string;
}

/** `path`: where its pushes arrive. */
export interface Sent {
  path: string;
  exchange: Exchange;
}

/** Leaves out fields without a name. */
export async function sendNames(
  { probe, urlOf }: Search,
  { url, events, channel }: Partial<Names>,
): Promise<Sent> {
  const path = nextPath(probe);
  const target = urlOf(path);
  const body = {
    ...(url !== undefined && { [url]: target }),
    ...(events !== undefined && { [events]: plainEvents }),
    ...(channel !== undefined && { [channel]: 'custom' }),
  };
  return { path, exchange: await sendCreation(probe, body, { target }) };
}

interface Followed {
  /** Set if all three names were found. */
  names?: Names;
  created?: Sent;
  /** The names that the deployment asked for. */
  chosen: Partial<Names>;
}

const maxTries = 16;

/** `refusal`: the answer to an empty body. */
export async function followRefusals(search: Search, refusal: Exchange): Promise<Followed> {
  const tried = new Set<string>();
  let chosen: Partial<Names> = {};
  let last = refusal;
  while (tried.size < maxTries) {
    const next = nextName(last, chosen, tried);
    if (!next) break;
    tried.add(`${next.field} ${next.name}`);
    const wanted = { ...chosen, [next.field]: next.name };
    const sent = await sendNames(search, wanted);
    const answer = sent.exchange;
    if (succeeded(answer))
      return { chosen: wanted, ...(isComplete(wanted) && { names: wanted, created: sent }) };
    if (saysTheSame(answer, last) || rejectsName(answer, next.name)) continue;
    chosen = wanted;
    last = answer;
  }
  return { chosen };
}

function nextName(
  refusal: Exchange,
  chosen: Partial<Names>,
  tried: ReadonlySet<string>,
): { field: keyof Names; name: string } | undefined {
  const { sure, possible } = hintedNames(refusal);
  for (const names of [sure, possible]) {
    for (const field of fields) {
      if (chosen[field] !== undefined) continue;
      const fresh = namesForField(field, unique(names)).find((name) => !tried.has(`${field} ${name}`));
      if (fresh !== undefined) return { field, name: fresh };
    }
  }
  return unlikeName(sure, chosen, tried);
}

/** A name that resembles none of the fields may be any field without a name. */
function unlikeName(
  sure: readonly string[],
  chosen: Partial<Names>,
  tried: ReadonlySet<string>,
): { field: keyof Names; name: string } | undefined {
  const left = fields.filter((field) => chosen[field] === undefined);
  const unlike = sure.filter((name) => fields.every((field) => namesForField(field, [name]).length === 0));
  const untried = unlike.flatMap((name) => left.map((field) => ({ field, name })));
  return untried.find(({ field, name }) => !tried.has(`${field} ${name}`));
}

function isComplete(names: Partial<Names>): names is Names {
  return fields.every((field) => names[field] !== undefined);
}

/** Only the trace_id differs: the added name is not the requested one. */
function saysTheSame(one: Exchange, other: Exchange): boolean {
  const [{ trace_id: _one, ...first }, { trace_id: _other, ...second }] = [
    envelopeOf(one),
    envelopeOf(other),
  ];
  return isDeepStrictEqual(first, second);
}

function rejectsName(refusal: Exchange, name: string): boolean {
  const text = writeJson(envelopeOf(refusal));
  return (
    text.includes(name) &&
    /unknown|unexpected|unrecogni[sz]ed|not allowed|additional|未知|不支持的字段/i.test(text)
  );
}
