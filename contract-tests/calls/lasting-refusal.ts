// Whether a refusal is about the call. Limits, maintenance and chance refuse calls of any kind for a while, and neither status nor code tells
// them from what is about the call: a refusal counts only while plain calls of its kind pass before and after it.
import type { OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified, type RefusalTrial, type WronglyRefused } from '../core/outcomes.ts';
import { readInteger } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { call } from './call.ts';
import { deleteResource } from './delete-created.ts';
import { refusalOfInvented, sendInvented } from './live-session.ts';
import { sessionToken, useRenewedToken } from './user-session.ts';

/** The pauses before the looks, in milliseconds. A limit counts by the minute at most; the answer to the first call may be repeated for half of that. */
const pausesMs = [0, 2_000, 58_000] as const;

/** Where such a refusal was seen to last already, the next ones are not waited for so long. */
const briefPausesMs = [0, 2_000] as const;

const lasting = new WeakMap<Context['requests'], Set<string>>();

/** Throws NotVerified unless the refusal lasts: the call is refused again in the same way each time, and plain calls of its kind pass around it. */
export async function requireLasting(context: Context, { refusal, trial }: WronglyRefused): Promise<void> {
  const kinds = lasting.get(context.requests) ?? new Set();
  lasting.set(context.requests, kinds);
  const kind = `${refusal.operation} ${describeKind(refusal)}`;
  const again = trial.again ?? (() => sendAgain(context, refusal));
  const plain = trial.plain === undefined ? await plainLike(context, refusal) : trial.plain;
  const pauses = kinds.has(kind) ? briefPausesMs : pausesMs;
  for (const pauseMs of pauses.slice(-(trial.looks ?? pauses.length))) {
    await context.clock.pass(pauseMs, 'a refusal to end that may be about the moment');
    await requirePlain(refusal, plain);
    const next = await again();
    if (succeeded(next)) throw ofTheMoment(refusal, 'the same call was accepted a little later');
    if (!areAlike(next, refusal)) throw ofTheMoment(refusal, `then in another way (${describeAnswer(next)})`);
  }
  await requirePlain(refusal, plain);
  if (await isSameForInvented(context, refusal))
    throw ofTheMoment(refusal, 'a call with an invented token is refused in the same way by now');
  kinds.add(kind);
}

function describeKind({ response: { status, json } }: Exchange): string {
  return `${status} ${String(Object(json).code)}`;
}

async function requirePlain(refusal: Exchange, plain: RefusalTrial['plain']): Promise<void> {
  const exchange = await plain?.();
  if (exchange && !succeeded(exchange))
    throw ofTheMoment(refusal, `a plain call is refused as well by now (${describeAnswer(exchange)})`);
}

function ofTheMoment(refusal: Exchange, why: string): NotVerified {
  return new NotVerified(
    `refused (${describeAnswer(refusal)}), but perhaps for a moment, or by a limit of all calls: ${why}; run again later`,
  );
}

/** A renewal has no plain call beside it: an invented token gets another refusal, unless all renewals are refused by now. */
async function isSameForInvented(context: Context, refusal: Exchange): Promise<boolean> {
  if (refusal.operation !== 'refresh') return false;
  const early = await settle(() => refusalOfInvented(context));
  if (early.error || areAlike(refusal, early.value())) return false;
  const late = await settle(() => sendInvented(context));
  return !late.error && areAlike(refusal, late.value());
}

/** So many of the calls that passed before are tried. */
const mostTried = 4;

/** Operations whose calls show that the service works, where none of the refused kind has passed before. */
const usual: readonly OperationId[] = [
  'listSites',
  'getSite',
  'listKeys',
  'listSubscriptions',
  'createSubscription',
];

/** A call of the same operation that passed before and passes now, but another one; where there is none, one of another operation. */
async function plainLike(context: Context, refusal: Exchange): Promise<RefusalTrial['plain']> {
  const passed = context.exchanges.filter(succeeded).toReversed();
  // A renewal may end its token.
  const ofKind = passed.filter(({ operation }) => operation === refusal.operation && operation !== 'refresh');
  const others = usual.flatMap((id) => passed.find(({ operation }) => operation === id) ?? []);
  const alike = differing(context, refusal, ofKind);
  const candidates = alike.length > 0 ? alike.slice(0, mostTried) : others.slice(0, 1);
  for (const candidate of candidates) {
    const exchange = await sendAgain(context, candidate);
    if (succeeded(exchange)) return () => sendAgain(context, candidate);
  }
  if (candidates.length === 0) return undefined;
  throw ofTheMoment(refusal, 'no call passes any more that passed before');
}

/** One of each address and caller, but for those of the refusal, whose body differs then. */
function differing(context: Context, refusal: Exchange, exchanges: readonly Exchange[]): Exchange[] {
  const found = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { url, headers } = exchange.request;
    const key = `${url} ${headers.Authorization}`;
    if (!found.has(key) && bodyOf(context, exchange) !== bodyOf(context, refusal)) found.set(key, exchange);
  }
  return [...found.values()];
}

/** Without what differs from call to call. */
function bodyOf(context: Context, { request }: Exchange): string {
  return `${request.url} ${request.headers.Authorization} ${request.body?.replace(ownNumber(context), '$1')}`;
}

/** The number in a name or an address of the run. */
function ownNumber({ runId }: Context): RegExp {
  return new RegExp(`(sitepub[/-]${runId}[^"\\d]*)\\d+`, 'g');
}

/** Sends a call once more, with names and addresses of its own. What it creates is deleted again. */
async function sendAgain(context: Context, exchange: Exchange): Promise<Exchange> {
  const { operation, request } = exchange;
  const number = readInteger(String(context.nextNumber()));
  const renumber = (text: string) => text.replace(ownNumber(context), `$1${number}`);
  const { values = {} } = context.requests.find((sent) => sent.exchange === exchange) ?? {};
  const { Authorization: header, 'Content-Type': _type, ...headers } = request.headers;
  const again = await call(context, operation, {
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? renumber(value) : value,
      ]),
    ),
    token: null,
    headers: { ...headers, ...(header !== undefined && { Authorization: header }) },
    ...(request.body !== undefined && { rawBody: renumber(request.body) }),
    mayBeReplayed: true,
  });
  await adopt(context, again);
  return again;
}

/** A renewal may end the token that the run uses. */
async function adopt(context: Context, exchange: Exchange): Promise<void> {
  if (!succeeded(exchange)) return;
  const { operation, values, request } = exchange;
  if (operation === 'refresh' && typeof values.token === 'string')
    if (request.headers.Authorization === `Bearer ${await sessionToken(context)}`)
      useRenewedToken(context, values.token);
  const created = context.resources.remaining().findLast(({ id }) => id !== undefined && id === values.id);
  if (created) await settle(() => deleteResource(context, created));
}
