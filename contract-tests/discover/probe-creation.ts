// The names in the request for a subscription: from the deployment's own messages, else from likely names, all sent at once and told
// apart by what comes back.
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../../openapi/generated/types.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { ask, hasEnvelope, intend, nextPath, type Probe, progress, urlOf } from './discovery-probe.ts';
import { findNeededName } from './find-needed-name.ts';
import { answerLeaves, listsIn } from './json-leaves.ts';
import { likelyNames, namesFor, namesIn, unique } from './likely-names.ts';
import { explainUnexpectedAnswer } from './unexpected-answer.ts';

type Required = 'url' | 'events' | 'channel';
type Names = Record<Required, string>;
type Candidates = Record<Required, readonly string[]>;

const parts: readonly Required[] = ['url', 'events', 'channel'];
const fieldGaps = parts.map((part) => `subscription.request.${part}`);

/** The first two events of a plain subscription; none is likely to be in a deployment's answer by accident. */
export const plainEvents: readonly EventName[] = ['form.submit', 'publish.complete'];
/** Tries of names one after the other, where a deployment neither says what is wrong nor takes more than it knows. */
const mostTries = 150;

/** A creation with any body. What is created is entered before. */
export async function sendBody(
  probe: Probe,
  body: unknown,
  { target = '', site = probe.options.siteId }: { target?: string; site?: number | undefined } = {},
): Promise<Exchange> {
  const settle = intend(probe, { what: 'subscription', site, target });
  const path = `/tenant/sites/${site}/webhooks`;
  const exchange = await ask(probe, { operation: 'createSubscription', path, body, token: probe.token });
  settle(exchange, guessId(exchange, probe));
  return exchange;
}

/** The identifier in an answer as far as it is known, for cleaning up. */
function guessId({ response }: Exchange, { findings }: Probe): unknown {
  const known = findings.value('subscription.response.id');
  const leaves = answerLeaves(response.json);
  const leaf =
    leaves.find(({ pointer }) => pointer === known) ??
    leaves.find(({ name }) => /^(id|.*_id|.*Id|uuid)$/.test(name) && !/site/i.test(name));
  return leaf?.value;
}

/** Finds the names of the three fields that every creation needs. Says whether it did. */
export async function probeCreation(probe: Probe): Promise<boolean> {
  progress(probe, 'looking for the names in the request for a subscription');
  const empty = await sendBody(probe, {});
  if (!hasEnvelope(empty)) {
    probe.findings.missed(
      fieldGaps,
      explainUnexpectedAnswer(probe, empty, 'the creation of a subscription').message,
    );
    return false;
  }
  if (!succeeded(empty)) probe.refusals.set('invalid-request', empty);
  const known = givenNames(probe);
  const names = known ?? (await findNames(probe, empty));
  if (!names) return false;
  for (const part of parts)
    probe.findings.found(
      `subscription.request.${part}`,
      names[part],
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
  const hinted = parts.every((part) => hints[part].length > 0) ? await tryAll(probe, hints) : undefined;
  if (hinted?.names) return hinted.names;
  if (hinted?.refusal && isAboutElse(hinted.refusal, empty)) return giveUp(probe, hinted.refusal);
  const all = eachPart((part) => unique([...hints[part], ...likelyNames[part]]));
  const whole = await tryAll(probe, all);
  if (whole.names) return whole.names;
  const unnamed = withoutStrangers(all, whole.refusal, empty);
  const sifted = unnamed && (await tryAll(probe, unnamed));
  const found = sifted?.names ?? (await tryInTurn(probe, unnamed ?? all));
  if (found) return found;
  return giveUp(probe, whole.refusal ?? empty);
}

function giveUp({ findings }: Probe, last: Exchange): undefined {
  const reason = `no creation with likely names passed; the last answer: ${describeAnswer(last)}; see the deployment's documentation`;
  findings.missed(fieldGaps, reason);
}

/** A refusal of another kind than that of an empty body: the names are right, and something else is not, such as the site. */
function isAboutElse(refusal: Exchange, empty: Exchange): boolean {
  const isSame =
    refusal.response.status === empty.response.status && envelopeOf(refusal).code === envelopeOf(empty).code;
  return !succeeded(refusal) && !isSame;
}

function eachPart<T>(make: (part: Required) => T): Record<Required, T> {
  return { url: make('url'), events: make('events'), channel: make('channel') };
}

/** What the refusal of an empty body says is missing. */
function hintsOf(empty: Exchange): Candidates {
  const { message, data } = envelopeOf(empty);
  const names = namesIn(`${String(message ?? '')} ${JSON.stringify(data ?? '')}`);
  const telling = names.filter(
    (name) =>
      !/^(events?|types?|channels?|targets?|kind|format)$/.test(name) ||
      isQuoted(name, String(message ?? '')),
  );
  return eachPart((part) => namesFor(part, telling));
}

/** An everyday word is a name where it stands as one. */
function isQuoted(name: string, text: string): boolean {
  return new RegExp(`["'\`/.]${name}["'\`:,; ]`).test(`${text} `);
}

interface Trial {
  names?: Names | undefined;
  refusal?: Exchange;
}

/** All candidates in one body. Where that passes, each kind is narrowed to the one that counts. */
async function tryAll(probe: Probe, candidates: Candidates): Promise<Trial> {
  const sent = await send(probe, candidates);
  if (!succeeded(sent.exchange)) return { refusal: sent.exchange };
  const seen = { ...candidates, ...echoed(sent) };
  const left = { ...seen };
  for (const part of parts) {
    const passes = async (some: readonly string[]) =>
      succeeded((await send(probe, { ...left, [part]: some })).exchange);
    const name = await findNeededName(left[part], passes);
    left[part] = name === undefined ? [] : [name];
  }
  const names = firstOf(left);
  const isPlain = parts.every((part) => candidates[part].length === 1);
  return {
    names: names && (isPlain || (await passesAlone(probe, names))) ? names : undefined,
    refusal: sent.exchange,
  };
}

async function passesAlone(probe: Probe, names: Names): Promise<boolean> {
  return succeeded(
    (
      await send(
        probe,
        eachPart((part) => [names[part]]),
      )
    ).exchange,
  );
}

function firstOf({ url, events, channel }: Candidates): Names | undefined {
  const [[u], [e], [c]] = [url, events, channel];
  return u !== undefined && e !== undefined && c !== undefined
    ? { url: u, events: e, channel: c }
    : undefined;
}

interface Sent {
  exchange: Exchange;
  urls: ReadonlyMap<string, string>;
  events: ReadonlyMap<string, readonly EventName[]>;
}

/** Each candidate has a value of its own, so that an answer that shows it tells which one was read. */
async function send(probe: Probe, candidates: Candidates): Promise<Sent> {
  const target = urlOf(probe, nextPath(probe));
  const urls = new Map(
    candidates.url.map((name, index) => [name, index === 0 ? target : `${target}-${index}`]),
  );
  const events = new Map(candidates.events.map((name, index) => [name, choice(index)]));
  const channels = candidates.channel.map((name) => [name, 'custom']);
  const body = Object.fromEntries([...urls, ...events, ...channels]);
  return { exchange: await sendBody(probe, body, { target }), urls, events };
}

const all: readonly EventName[] = [
  ...plainEvents,
  ...(['content.publish', 'content.update', 'content.delete', 'comment.created', 'publish.failed'] as const),
];

/** The first candidate has the plain events; the others another choice each. */
function choice(index: number): readonly EventName[] {
  if (index === 0) return plainEvents;
  return all.filter((_, bit) => ((index + 8) >> bit) & 1);
}

/** The candidates whose values stand in the answer. */
function echoed({ exchange, urls, events }: Sent): Partial<Record<'url' | 'events', string[]>> {
  const leaves = answerLeaves(exchange.response.json).map(({ value }) => value);
  const lists = listsIn(exchange.response.json).map(({ value }) => value);
  const url = [...urls].filter(([, value]) => leaves.includes(value)).map(([name]) => name);
  const chosen = [...events].filter(([, value]) => lists.some((list) => isDeepStrictEqual(list, value)));
  return {
    ...(url.length > 0 && { url }),
    ...(chosen.length > 0 && { events: chosen.map(([name]) => name) }),
  };
}

/** Where unknown fields are refused and named, the ones that are not named are known. */
function withoutStrangers(
  candidates: Candidates,
  refusal: Exchange | undefined,
  empty: Exchange,
): Candidates | undefined {
  const before = namesIn(String(envelopeOf(empty).message ?? ''));
  const named = namesIn(JSON.stringify(refusal?.response.json ?? '')).filter(
    (name) => !before.includes(name),
  );
  const left = eachPart((part) => candidates[part].filter((name) => !named.includes(name)));
  const isSifted = parts.some((part) => left[part].length < candidates[part].length);
  return isSifted && parts.every((part) => left[part].length > 0) ? left : undefined;
}

/** Names of one style together, the likeliest first, within a bound. */
async function tryInTurn(probe: Probe, candidates: Candidates): Promise<Names | undefined> {
  const styles = [/^[a-z]+(_[a-z]+)*$/, /^[a-z]+([A-Z][a-z]+)*$/];
  const combinations = styles.flatMap((style) =>
    combine(eachPart((part) => candidates[part].filter((name) => style.test(name)))),
  );
  const likeliest = combinations.sort((one, other) => one.rank - other.rank);
  const different = new Map(likeliest.map(({ names }) => [Object.values(names).join(), names]));
  for (const names of [...different.values()].slice(0, mostTries))
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
