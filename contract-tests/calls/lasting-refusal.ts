// Whether a refusal is about the call. Limits, maintenance and chance refuse calls of any kind for a while, and neither status nor code tells
// them from what is about the call: a refusal counts only while plain calls of its kind pass before and after it.
import type { OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { areAlike, describeAnswer, type Exchange, type SentRequest, succeeded } from '../core/exchange.ts';
import { NotVerified, type RefusalTrial, WronglyRefused } from '../core/outcomes.ts';
import { isSameId, readInteger } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { call } from './call.ts';
import { deleteResource } from './delete-created.ts';
import { isRateLimited } from './expect-answer.ts';
import { refusalOfInvented, sendInvented } from './live-session.ts';
import { sessionToken, useRenewedToken } from './user-session.ts';

/** The pauses before the first looks, in milliseconds. */
const pausesMs = [0, 2_000] as const;

/** When the last look comes, in milliseconds after the first: a limit counts by the minute at most, and the first answer may be repeated for half of that. */
const lastLookMs = 60_000;

/** A refusal that has lasted until now. */
export interface LastingRefusal {
  /** When it may be looked at for the last time, in milliseconds since 1970, by the deployment's clock. */
  dueAt: number;
  /** Waits until then, and until limits are over, and throws NotVerified unless the call is refused in the same way once more. */
  lookAtLast(overAt: number): Promise<void>;
}

/** When the limits are over that the run has reached so far. */
export function limitsOverAt(context: Context): number {
  const limited = context.exchanges.findLast((exchange) => isRateLimited(context, exchange));
  return limited ? limited.answeredAt + lastLookMs : 0;
}

/** Throws NotVerified unless the refusal lasts for the first looks: the call is refused again in the same way, and plain calls of its kind pass around it. */
export async function requireLasting(
  context: Context,
  { refusal, trial }: WronglyRefused,
): Promise<LastingRefusal> {
  const { clock } = context;
  const dueAt = clock.now() + lastLookMs;
  const again = trial.again ?? (await senderOf(context, refusal));
  const choosePlain = async () => (trial.plain === undefined ? plainLike(context, refusal) : trial.plain);
  const look = async (plain: RefusalTrial['plain']) => {
    await requirePlain(refusal, plain);
    const next = await refusalOr(again);
    if (succeeded(next)) throw ofTheMoment(refusal, 'the same call was accepted a little later');
    if (!areAlike(next, refusal))
      throw ofTheMoment(refusal, `the next refusal was different (${describeAnswer(next)})`);
  };
  const whatEnded = groundsOf(context, refusal);
  const early = await choosePlain();
  for (const pauseMs of pausesMs.slice(pausesMs.length + 1 - (trial.looks ?? 3))) {
    await clock.pass(pauseMs, 'a possibly temporary refusal to end');
    await look(early);
  }
  const lookAtLast = async (overAt: number) => {
    await clock.waitUntil(Math.max(dueAt, overAt), 'possibly temporary refusals to end');
    const ended = whatEnded();
    if (ended !== undefined) throw ofTheMoment(refusal, ended);
    const late = await choosePlain();
    await look(late);
    await requirePlain(refusal, late);
    if (await isSameForInvented(context, refusal))
      throw ofTheMoment(refusal, 'a call with an invented token is now refused in the same way');
  };
  return { dueAt, lookAtLast };
}

/** What comes before the call in the trial may be refused itself. */
async function refusalOr(again: () => Promise<Exchange>): Promise<Exchange> {
  const { error, value } = await settle(again);
  return error instanceof WronglyRefused ? error.refusal : value();
}

async function requirePlain(refusal: Exchange, plain: RefusalTrial['plain']): Promise<void> {
  const exchange = await plain?.();
  if (exchange && !succeeded(exchange))
    throw ofTheMoment(refusal, `a plain call is now refused as well (${describeAnswer(exchange)})`);
}

function ofTheMoment(refusal: Exchange, why: string): NotVerified {
  return new NotVerified(
    `refused (${describeAnswer(refusal)}), but perhaps only for a moment or by a general limit: ${why}; run again later`,
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
  throw ofTheMoment(refusal, 'calls that succeeded before are refused now');
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

/** Sends the refused call again; in the run's session, where it was sent in that, for its token may have been renewed. Others can't be tried once they may have ended. */
async function senderOf(context: Context, refusal: Exchange): Promise<() => Promise<Exchange>> {
  const session = await settle(() => sessionToken(context));
  const from = session.error ? undefined : session.value();
  if (from !== undefined && bearerOf(refusal) === from)
    return async () => sendAgain(context, refusal, { from, to: await sessionToken(context) });
  const before = context.exchanges.length;
  const user = userOf(context, bearerOf(refusal));
  const mayEnd = ({ values: { token } }: Exchange) => user !== undefined && userOf(context, token) === user;
  return () => {
    if (context.exchanges.slice(before).some(mayEnd))
      throw ofTheMoment(refusal, 'the run has replaced the session of the call since');
    return sendAgain(context, refusal);
  };
}

function bearerOf({ request }: Exchange): string | undefined {
  return request.headers.Authorization?.replace(/^Bearer /, '');
}

/** The user whose login, or a renewal after it, gave out a token. */
function userOf(context: Context, token: unknown, exchanges = context.exchanges): unknown {
  const index = exchanges.findIndex(({ values }) => token !== undefined && values.token === token);
  const issue = exchanges[index];
  if (issue?.operation === 'refresh') return userOf(context, bearerOf(issue), exchanges.slice(0, index));
  return issue && valuesOf(context, issue).username;
}

/** Returns a function that says what the run has deleted since of what a refused call rests on, if anything: then it is refused for that. */
function groundsOf(context: Context, refusal: Exchange): () => string | undefined {
  const { exchanges, resources } = context;
  const bearer = bearerOf(refusal);
  const key = exchanges.find(({ values }) => bearer !== undefined && values.key === bearer);
  const ids = [...Object.values(valuesOf(context, refusal)), key?.values.id];
  const grounds = resources
    .remaining()
    .filter(({ id }) => id !== undefined && ids.some((one) => isSameId(one, id)));
  return () => {
    const remaining = resources.remaining();
    const gone = grounds.find((one) => !remaining.includes(one));
    return gone && `the run has deleted the ${gone.what} of the call since`;
  };
}

function valuesOf({ requests }: Context, exchange: Exchange): SentRequest['values'] {
  return requests.find((sent) => sent.exchange === exchange)?.values ?? {};
}

/** Sends a call once more, with names and addresses of its own, and perhaps another token. What it creates is deleted again. */
async function sendAgain(
  context: Context,
  exchange: Exchange,
  token?: { from: string; to: string },
): Promise<Exchange> {
  const { operation, request } = exchange;
  const number = readInteger(String(context.nextNumber()));
  const renew = (text: string) => {
    const renumbered = text.replace(ownNumber(context), `$1${number}`);
    return token ? renumbered.replaceAll(token.from, token.to) : renumbered;
  };
  const { Authorization: header, 'Content-Type': _type, ...headers } = request.headers;
  const again = await call(context, operation, {
    values: Object.fromEntries(
      Object.entries(valuesOf(context, exchange)).map(([name, value]) => [
        name,
        typeof value === 'string' ? renew(value) : value,
      ]),
    ),
    token: null,
    headers: { ...headers, ...(header !== undefined && { Authorization: renew(header) }) },
    ...(request.body !== undefined && { rawBody: renew(request.body) }),
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
