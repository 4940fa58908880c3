// Calls of operations that the document names without their form, as the profile states it.
import { namesIn, type OperationId, operationGap } from '../../openapi/operations.ts';
import { findGap } from '../../openapi/registers.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type CallOptions, call } from './call.ts';
import { requireNotLimited } from './expect-answer.ts';
import { withSession } from './live-session.ts';
import { otherSession, sessionToken, type TenantLabel } from './user-session.ts';

type Values = Record<string, unknown>;

/** Calls an operation as the tenant's user or with the API key, or as a visitor where it needs no Authorization. */
export async function callProfileOperation(
  context: Context,
  id: OperationId,
  { values = {}, ...options }: { values?: Values } & CallOptions = {},
): Promise<Exchange> {
  const all = { siteID: context.siteId, ...values };
  requireKnown(context, id, all);
  if (options.token !== undefined) return call(context, id, { values: all, ...options });
  const send = (token: string | null) => call(context, id, { values: all, ...options, token });
  const { auth } = context.operations.get(id) ?? {};
  return auth === 'none' || auth === 'api-key'
    ? send(await ownToken(context, id))
    : withSession(context, send);
}

/** What the run itself sends with an operation: its session token, the API key where nothing else is accepted, or nothing. */
export async function ownToken(context: Context, id: OperationId): Promise<string | null> {
  const auth = context.operations.get(id)?.auth;
  if (auth === 'none') return null;
  if (auth !== 'api-key') return sessionToken(context);
  const { apiKey } = context.options;
  if (apiKey) return apiKey;
  throw new NotVerified(
    `${gapOf(context, id)} accepts only an API key (auth: api-key), and none is given; set SITEPUB_API_KEY`,
  );
}

/** The same for a tenant. Without a user, the API key for a call that takes either. */
export async function tokenFor(
  context: Context,
  tenant: TenantLabel,
  id: OperationId,
): Promise<string | null> {
  if (tenant === 'other') return (await otherSession(context)).token;
  const { account, apiKey } = context.options;
  const acceptsKey = context.operations.get(id)?.auth === 'bearer';
  return !account && apiKey && acceptsKey ? apiKey : ownToken(context, id);
}

/** Throws NotVerified where the call needs a value that no answer had. */
function requireKnown(context: Context, id: OperationId, values: Values): void {
  const mayBeMissing = findGap(gapOf(context, id))?.query ?? [];
  const unknown = namesOf(context, id).find(
    (name) => values[name] === undefined && !mayBeMissing.includes(name),
  );
  if (unknown === undefined) return;
  throw new NotVerified(
    `the call of ${gapOf(context, id)} needs "{${unknown}}", which no answer contained; state its pointer in a profile`,
  );
}

function namesOf({ operations }: Context, id: OperationId): string[] {
  const operation = operations.get(id);
  return operation ? namesIn(operation) : [];
}

/** The same for a call that must succeed before a check can go on: throws NotVerified where it is refused. */
export async function callToEnd(
  context: Context,
  id: OperationId,
  options: { values?: Values } & CallOptions = {},
): Promise<Exchange> {
  const exchange = await callProfileOperation(context, id, options);
  if (succeeded(exchange)) return exchange;
  throw refusedCall(context, exchange);
}

/** A refusal of such an operation breaks no promise: the profile may be wrong. */
export function refusedCall(context: Context, exchange: Exchange): NotVerified {
  const name = gapOf(context, exchange.operation);
  requireNotLimited(context, exchange, `the call of ${name}`);
  return new NotVerified(
    `the call of ${name} was refused (${describeAnswer(exchange)}); check that the profile describes it correctly`,
  );
}

/** Whether two calls of an operation can differ in a value. */
export function canVary(context: Context, id: OperationId, name: string): boolean {
  return namesOf(context, id).includes(name);
}

/** Whether the deployment recognizes repetitions by a header. */
export function hasKeyHeader({ profile }: Context): boolean {
  return profile.values['idempotency.repetition'] === 'key-header';
}

/** The gap that states how an operation is called. */
export function gapOf({ operations }: Context, id: OperationId): string {
  const operation = operations.get(id);
  return operation ? (operation.gap ?? id) : operationGap(id);
}

/** A short text that no other call of any run has; with characters outside ASCII, so that signatures cover some. */
export function uniqueText({ runId, nextNumber }: Context, what: string): string {
  return `sitepub-${runId} ${what} ${nextNumber()} é海`;
}
