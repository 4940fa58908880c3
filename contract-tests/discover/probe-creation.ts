// The names of the fields in the request for a subscription: from the deployment's own messages, or from likely names that are all sent
// at once and distinguished by the answer.
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../../openapi/generated/types.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import {
  hasEnvelope,
  nextPath,
  type Probe,
  recordCreation,
  reportProgress,
  urlOf,
} from './discovery-probe.ts';
import { findNeededName } from './find-needed-name.ts';
import { answerLeaves, listsIn } from './json-leaves.ts';
import { likelyNames, namesForField, namesIn, unique } from './likely-names.ts';
import { sendRequest } from './send-request.ts';
import { explainUnexpectedAnswer } from './unexpected-answer.ts';

type RequiredField = 'url' | 'events' | 'channel';
type Names = Record<RequiredField, string>;
type Candidates = Record<RequiredField, readonly string[]>;

const fields: readonly RequiredField[] = ['url', 'events', 'channel'];
const fieldGaps = fields.map((field) => `subscription.request.${field}`);

/** The events of a plain subscription; neither is likely to be in a deployment's answer by chance. */
export const plainEvents: readonly EventName[] = ['form.submit', 'publish.complete'];
/** The most combinations of names that are tried one after the other. */
const maxTries = 150;

export interface CreationOptions {
  target?: string;
  site?: number | undefined;
  headers?: Record<string, string>;
  /** Sent once only. */
  isOnce?: boolean;
}

/** A creation with any body. The subscription is recorded before, for each request: a lost answer may have been that to a creation. */
export async function sendCreation(
  probe: Probe,
  body: unknown,
  options: CreationOptions = {},
): Promise<Exchange> {
  try {
    return await sendOneCreation(probe, body, options);
  } catch (error) {
    if (!(error instanceof Unreachable) || options.isOnce) throw error;
    return sendOneCreation(probe, body, options);
  }
}

async function sendOneCreation(
  probe: Probe,
  body: unknown,
  { target = '', site = probe.options.siteId, headers = {} }: CreationOptions,
): Promise<Exchange> {
  const settle = recordCreation(probe, { what: 'subscription', site, target });
  const path = `/tenant/sites/${site}/webhooks`;
  const exchange = await sendRequest(probe, {
    operation: 'createSubscription',
    path,
    body,
    token: probe.token,
    headers,
    isOnce: true,
  });
  settle(exchange, guessId(exchange, probe));
  return exchange;
}

/** The body of a creation by the names that were found. */
export function creationBody({ findings }: Probe, values: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const nameOf = (field: string) => String(findings.value(`subscription.request.${field}`));
  return Object.fromEntries(given.map(([field, value]) => [nameOf(field), value]));
}

/** The identifier in an answer, for cleaning up; a guess as long as its place is not known. */
function guessId({ response }: Exchange, { findings }: Probe): unknown {
  const known = findings.value('subscription.response.id');
  const leaves = answerLeaves(response.json);
  const leaf =
    leaves.find(({ pointer }) => pointer === known) ??
    leaves.find(({ name }) => /^(id|.*_id|.*Id|uuid)$/.test(name) && !/site/i.test(name));
  return leaf?.value;
}

/** Finds the names of the three fields that every creation needs. Returns whether they were found. */
export async function probeCreation(probe: Probe): Promise<boolean> {
  reportProgress(probe, 'looking for the names in the request for a subscription');
  const empty = await sendCreation(probe, {});
  if (!hasEnvelope(empty)) {
    const { message } = explainUnexpectedAnswer(probe, empty, 'the creation of a subscription');
    probe.findings.missed(fieldGaps, message);
    return false;
  }
  if (!succeeded(empty)) probe.refusals.set('invalid-request', empty);
  const names = givenNames(probe) ?? (await findNames(probe, empty));
  if (!names) return false;
  for (const field of fields)
    probe.findings.found(
      `subscription.request.${field}`,
      names[field],
      `a creation with the fields ${Object.values(names).join(', ')} passed`,
    );
  if (probe.supposedToken !== undefined)
    probe.findings.found(
      'login.token',
      probe.supposedToken,
      `the text at ${probe.supposedToken} of the login answer was accepted as Bearer by a creation`,
    );
  return true;
}

function givenNames({ findings }: Probe): Names | undefined {
  const [url, events, channel] = fieldGaps.map((gap) => findings.value(gap));
  if (typeof url !== 'string' || typeof events !== 'string' || typeof channel !== 'string') return undefined;
  return { url, events, channel };
}

async function findNames(probe: Probe, empty: Exchange): Promise<Names | undefined> {
  const hints = hintsOf(empty);
  const hinted = fields.every((field) => hints[field].length > 0) ? await tryAll(probe, hints) : undefined;
  if (hinted?.names) return hinted.names;
  if (hinted?.refusal && isOtherRefusal(hinted.refusal, empty)) return giveUp(probe, hinted.refusal);
  const all = eachField((field) => unique([...hints[field], ...likelyNames[field]]));
  const trial = await tryAll(probe, all);
  if (trial.names) return trial.names;
  const accepted = withoutUnknownNames(all, trial.refusal, empty);
  const second = accepted && (await tryAll(probe, accepted));
  const found = second?.names ?? (await tryInTurn(probe, accepted ?? all));
  return found ?? giveUp(probe, trial.refusal ?? empty);
}

function giveUp({ findings }: Probe, last: Exchange): undefined {
  const reason = `no creation with likely names passed; the last answer: ${describeAnswer(last)}; see the deployment's documentation`;
  findings.missed(fieldGaps, reason);
}

/** A refusal of another kind than that of an empty body: the names are right, and something else is wrong, such as the site. */
function isOtherRefusal(refusal: Exchange, empty: Exchange): boolean {
  const isSame =
    refusal.response.status === empty.response.status && envelopeOf(refusal).code === envelopeOf(empty).code;
  return !succeeded(refusal) && !isSame;
}

function eachField<T>(make: (field: RequiredField) => T): Record<RequiredField, T> {
  return { url: make('url'), events: make('events'), channel: make('channel') };
}

/** What the refusal of an empty body says is missing. */
function hintsOf(empty: Exchange): Candidates {
  const { message, data } = envelopeOf(empty);
  const names = namesIn(`${String(message ?? '')} ${JSON.stringify(data ?? '')}`);
  const likely = names.filter(
    (name) =>
      !/^(events?|types?|channels?|targets?|kind|format)$/.test(name) ||
      isQuoted(name, String(message ?? '')),
  );
  return eachField((field) => namesForField(field, likely));
}

/** An everyday word is a name when it is quoted. */
function isQuoted(name: string, text: string): boolean {
  return new RegExp(`["'\`/.]${name}["'\`:,; ]`).test(`${text} `);
}

interface Trial {
  names?: Names | undefined;
  refusal?: Exchange;
}

/** Sends all candidates in one body. When that passes, the candidates for each field are narrowed down to the one that is read. */
async function tryAll(probe: Probe, candidates: Candidates): Promise<Trial> {
  const sent = await sendCandidates(probe, candidates);
  if (!succeeded(sent.exchange)) return { refusal: sent.exchange };
  const left: Candidates = { ...candidates, ...echoed(sent) };
  for (const field of fields) {
    const passes = async (some: readonly string[]) =>
      succeeded((await sendCandidates(probe, { ...left, [field]: some })).exchange);
    const name = await findNeededName(left[field], passes);
    left[field] = name === undefined ? [] : [name];
  }
  const names = combine(left)[0]?.names;
  const isPlain = fields.every((field) => candidates[field].length === 1);
  return {
    names: names && (isPlain || (await passesAlone(probe, names))) ? names : undefined,
    refusal: sent.exchange,
  };
}

async function passesAlone(probe: Probe, names: Names): Promise<boolean> {
  const candidates = eachField((field) => [names[field]]);
  return succeeded((await sendCandidates(probe, candidates)).exchange);
}

interface SentCandidates {
  exchange: Exchange;
  urls: ReadonlyMap<string, string>;
  events: ReadonlyMap<string, readonly EventName[]>;
}

/** Each candidate has a different value, so that the answer may show which one was read. */
async function sendCandidates(probe: Probe, candidates: Candidates): Promise<SentCandidates> {
  const target = urlOf(probe, nextPath(probe));
  const urls = new Map(
    candidates.url.map((name, index) => [name, index === 0 ? target : `${target}-${index}`]),
  );
  const events = new Map(candidates.events.map((name, index) => [name, chooseEvents(index)]));
  const channels = candidates.channel.map((name) => [name, 'custom']);
  const body = Object.fromEntries([...urls, ...events, ...channels]);
  return { exchange: await sendCreation(probe, body, { target }), urls, events };
}

const allEvents: readonly EventName[] = [
  ...plainEvents,
  ...(['content.publish', 'content.update', 'content.delete', 'comment.created', 'publish.failed'] as const),
];

/** The first candidate has the plain events; each of the others has another choice. */
function chooseEvents(index: number): readonly EventName[] {
  if (index === 0) return plainEvents;
  return allEvents.filter((_, bit) => ((index + 8) >> bit) & 1);
}

/** The candidates whose values are in the answer. */
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

/** The names that a refusal does not mention, when it names the unknown fields. */
function withoutUnknownNames(
  candidates: Candidates,
  refusal: Exchange | undefined,
  empty: Exchange,
): Candidates | undefined {
  const before = namesIn(String(envelopeOf(empty).message ?? ''));
  const named = namesIn(JSON.stringify(refusal?.response.json ?? '')).filter(
    (name) => !before.includes(name),
  );
  const left = eachField((field) => candidates[field].filter((name) => !named.includes(name)));
  const isNarrower = fields.some((field) => left[field].length < candidates[field].length);
  return isNarrower && fields.every((field) => left[field].length > 0) ? left : undefined;
}

/** Tries combinations of names in one style, the likeliest first. */
async function tryInTurn(probe: Probe, candidates: Candidates): Promise<Names | undefined> {
  const styles = [/^[a-z]+(_[a-z]+)*$/, /^[a-z]+([A-Z][a-z]+)*$/];
  const combinations = styles.flatMap((style) =>
    combine(eachField((field) => candidates[field].filter((name) => style.test(name)))),
  );
  const likeliest = combinations.sort((one, other) => one.rank - other.rank);
  const different = new Map(likeliest.map(({ names }) => [Object.values(names).join(), names]));
  for (const names of [...different.values()].slice(0, maxTries))
    if (await passesAlone(probe, names)) return names;
  return undefined;
}

function combine({ url, events, channel }: Candidates): { names: Names; rank: number }[] {
  return url.flatMap((u, i) =>
    events.flatMap((e, j) =>
      channel.map((c, k) => ({ names: { url: u, events: e, channel: c }, rank: i + j + k })),
    ),
  );
}
