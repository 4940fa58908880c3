import type { OperationId } from '../../openapi/operations.ts';
import { tenantOfCall } from '../request/authenticate.ts';
import {
  countAgainstLimit,
  countsFrom,
  documentedRule,
  type LimitName,
  type LimitRule,
  limitOf,
  liveCalls,
  staysCounted,
} from '../request/rate-limits.ts';
import type { AnyCall } from '../service.ts';
import { byKey, bySession, namesLaterUser, namesUser } from './callers.ts';
import { always, around, combineWraps, faultsOf, type Wrap } from './fault.ts';
import { type CallTest, delayCall, watchCall } from './wrap-calls.ts';

const holderIsAll = (call: AnyCall) => tenantOfCall(call) && 'all';
const holderIsSite = ({ input }: AnyCall) => `site ${input.siteID}`;
/** An API key belongs to no user, so its calls count for the tenant. */
const holderIsUser = (call: AnyCall) => call.caller?.session?.username ?? tenantOfCall(call);

export const limitFaults = faultsOf({
  'LIMIT-1 tenth-login-refused: accepts only nine logins per minute': () => changeRule('logins', { most: 9 }),
  'LIMIT-1 ninth-login-refused: accepts only eight logins per minute': () =>
    changeRule('logins', { most: 8 }),
  'LIMIT-1 login-counts-twice-after-a-refusal: counts logins twice after a tenant was rate limited': (
    { memory },
    wasRejected = memory.value('rejected', false),
  ) =>
    combineWraps(
      onRejection('logins', () => wasRejected.set(true)),
      countAlsoAs('logins', 'logins', () => wasRejected.get()),
    ),
  'LIMIT-2 eleventh-login-taken: accepts eleven logins per minute': () => changeRule('logins', { most: 11 }),
  'LIMIT-2 right-logins-not-limited: does not count logins with the correct password towards the limit': () =>
    ignoreLimit('logins', namesUser),
  'LIMIT-2 wrong-password-clears-login-count: sets the login count of a tenant to zero after a wrong password':
    () =>
      wrapLimit('logins', (call, draw, key) => {
        draw();
        return () => call.world.limits.delete(key);
      }),
  'LIMIT-2 every-eleventh-login-refused: rejects only every eleventh login per minute': () =>
    onRejection('logins', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-2 ten-logins-in-half-a-minute: accepts ten logins every half minute': () =>
    changeRule('logins', { extraMs: -30_000 }),
  'LIMIT-2 logins-at-once-not-limited: accepts all simultaneous logins, because each reads the count too early':
    () => countLate('logins'),
  'LIMIT-2 logins-let-through-every-two-seconds: accepts one more login every two seconds after ten logins':
    () => changeRule('logins', { kind: 'token-bucket', extraMs: -40_000 }),
  'LIMIT-3 second-user-has-own-login-limit: limits logins per user instead of per tenant': () =>
    changeRule('logins', { holderOf: ({ input }) => String(input.username) }),
  'LIMIT-3 login-limit-shared-by-tenants: limits the logins of all tenants together': () =>
    changeRule('logins', { holderOf: holderIsAll }),
  "LIMIT-3 logins-of-later-users-not-counted: counts only the logins of a tenant's first user towards the limit":
    () =>
      wrapLimit('logins', (call, draw, key) => {
        if (!namesLaterUser(call)) return draw();
        leaveCount(call, draw, key);
        return staysCounted;
      }),
  "LIMIT-4 login-limit-for-two-minutes (remark locked-longer): limits a tenant's logins for two minutes instead of one":
    () => changeRule('logins', { extraMs: 60_000 }),
  "LIMIT-4 login-limit-a-quarter-too-long: limits a tenant's logins for 75 seconds instead of 60": () =>
    changeRule('logins', { extraMs: 15_000 }),
  'LIMIT-5 tenth-publish-refused: accepts only nine publishes per minute': () =>
    changeRule('publishes', { most: 9 }),
  'LIMIT-5 publish-counts-twice: counts each publish twice': () => countAlsoAs('publishes', 'publishes'),
  'LIMIT-5 publish-limit-shared-by-tenants: limits the publishes of all tenants together': () =>
    changeRule('publishes', { holderOf: holderIsAll }),
  'LIMIT-5 ai-calls-count-as-publishes: counts AI calls as publishes': () =>
    countAlsoAs('AI calls', 'publishes'),
  'LIMIT-6 eleventh-publish-taken: accepts eleven publishes per minute': () =>
    changeRule('publishes', { most: 11 }),
  'LIMIT-6 publish-limit-of-failures-only: limits only publishes that fail': () =>
    ignoreLimit('publishes', ({ operation }) => operation.id === 'publishSite'),
  'LIMIT-6 publish-limit-of-each-site: limits publishes per site instead of per tenant': () =>
    changeRule('publishes', { holderOf: holderIsSite }),
  'LIMIT-6 publish-limit-of-each-user: limits publishes per user instead of per tenant': () =>
    changeRule('publishes', { holderOf: holderIsUser }),
  'LIMIT-6 publish-limit-of-sessions-alone: does not count publishes with an API key towards the limit': () =>
    ignoreLimit('publishes', byKey),
  'LIMIT-6 every-eleventh-publish-refused: rejects only every eleventh publish per minute': () =>
    onRejection('publishes', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-6 ten-publishes-in-half-a-minute: accepts ten publishes every half minute': () =>
    changeRule('publishes', { extraMs: -30_000 }),
  'LIMIT-6 publishes-at-once-not-limited: accepts all simultaneous publishes, because each reads the count too early':
    () => countLate('publishes'),
  'LIMIT-7 tenth-ai-call-refused: accepts only nine AI calls per minute': () =>
    changeRule('AI calls', { most: 9 }),
  'LIMIT-7 ai-call-counts-twice: counts each AI call twice': () => countAlsoAs('AI calls', 'AI calls'),
  'LIMIT-7 ai-limit-shared-by-tenants: limits the AI calls of all tenants together': () =>
    changeRule('AI calls', { holderOf: holderIsAll }),
  'LIMIT-7 publishes-count-as-ai-calls: counts publishes as AI calls': () =>
    countAlsoAs('publishes', 'AI calls'),
  'LIMIT-8 eleventh-ai-call-taken: accepts eleven AI calls per minute': () =>
    changeRule('AI calls', { most: 11 }),
  'LIMIT-8 ai-calls-by-session-not-limited: limits AI calls only for API keys': () =>
    ignoreLimit('AI calls', bySession),
  'LIMIT-8 ai-limit-of-each-site: limits AI calls per site instead of per tenant': () =>
    changeRule('AI calls', { holderOf: holderIsSite }),
  'LIMIT-8 ai-limit-of-each-user: limits AI calls per user instead of per tenant': () =>
    changeRule('AI calls', { holderOf: holderIsUser }),
  'LIMIT-8 ai-limit-of-sessions-alone: does not count AI calls with an API key towards the limit': () =>
    ignoreLimit('AI calls', byKey),
  'LIMIT-8 every-eleventh-ai-call-refused: rejects only every eleventh AI call per minute': () =>
    onRejection('AI calls', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-8 ten-ai-calls-in-half-a-minute: accepts ten AI calls every half minute': () =>
    changeRule('AI calls', { extraMs: -30_000 }),
  'LIMIT-8 ai-calls-at-once-not-limited: accepts all simultaneous AI calls, because each reads the count too early':
    () => countLate('AI calls'),
});

/** Milliseconds between the reading of a count and its writing. */
const writingMs = 20;

/** Counts a call and returns what uncounts it; throws if the call exceeds the limit. */
type Draw = () => () => void;

/** Replaces the counting for one limit. `key`: the key of the tenant's count in `world.limits`. */
function wrapLimit(name: LimitName, count: (call: AnyCall, draw: Draw, key: string) => () => void): Wrap {
  return around('countAgainstLimit', (next, call) =>
    limitOf[call.operation.id] === name ? count(call, () => next(call), keyOf(call, name)) : next(call),
  );
}

function changeRule(name: LimitName, rule: Partial<LimitRule>): Wrap {
  return wrapLimit(name, (call) => countAgainstLimit(call, { ...documentedRule, ...rule }));
}

function ignoreLimit(name: LimitName, when: CallTest): Wrap {
  return wrapLimit(name, (call, draw) => (when(call) ? staysCounted : draw()));
}

/** Rejects a call that exceeds the limit, and leaves others uncounted; returns the times that they would have added. */
function leaveCount({ world: { limits } }: AnyCall, draw: Draw, key: string): readonly number[] {
  const before = limits.get(key) ?? [];
  draw();
  const counted = limits.get(key)?.slice(-1) ?? [];
  limits.set(key, before);
  return counted;
}

/** Reads the count when a call arrives, and writes it later. */
function countLate(name: LimitName, writes = new WeakMap<AnyCall, () => void>()): Wrap {
  const ids = (Object.keys(limitOf) as OperationId[]).filter((id) => limitOf[id] === name);
  return combineWraps(
    watchCall(ids, (call) => writes.get(call)?.()),
    delayCall(ids, writingMs),
    wrapLimit(name, (call, draw, key) => {
      const { limits } = call.world;
      const counted = leaveCount(call, draw, key);
      writes.set(call, () => limits.set(key, [...(limits.get(key) ?? []), ...counted]));
      return staysCounted;
    }),
  );
}

function onRejection(name: LimitName, act: (call: AnyCall, key: string) => unknown): Wrap {
  return wrapLimit(name, (call, draw, key) => {
    try {
      return draw();
    } catch (error) {
      act(call, key);
      throw error;
    }
  });
}

/** Counts calls once more, for the same or another limit, which does not reject them. */
function countAlsoAs(name: LimitName, other: LimitName, when: CallTest = always): Wrap {
  return wrapLimit(name, (call, draw) => {
    const takeBack = draw();
    if (!when(call)) return takeBack;
    const { limits } = call.world;
    const key = keyOf(call, other);
    const kind = call.profile.values['limits.window'];
    const live = liveCalls(limits.get(key) ?? [], call.now);
    limits.set(key, [...live, countsFrom(live, call.now, { ...documentedRule, kind })]);
    return takeBack;
  });
}

function keyOf(call: AnyCall, name: LimitName): string {
  return `${name}:${tenantOfCall(call)}`;
}
