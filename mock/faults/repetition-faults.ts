import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest, rateLimited } from '../http/api-errors.ts';
import { handlerOf } from '../operations/index.ts';
import { tenantOfCall } from '../request/authenticate.ts';
import {
  countAgainstLimit,
  countsFrom,
  documentedRule,
  type LimitName,
  type LimitRule,
  limitOf,
  liveCalls,
  perMinute,
} from '../request/rate-limits.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { FirstAnswer } from '../world/entries.ts';
import { byKey, bySession, namesLaterUser, namesUser, ofLaterTenant } from './access-faults.ts';
import { after, always, around, combineWraps, faultsOf, type Wrap, withMemory } from './fault.ts';
import { type CallTest, changeResult, delayCall, watchResult, wrapHandler } from './wrap-calls.ts';

const holderIsAll = (call: AnyCall) => tenantOfCall(call) && 'all';
const holderIsSite = ({ input }: AnyCall) => `site ${input.siteID}`;
/** API keys belong to no user. */
const holderIsUser = (call: AnyCall) => call.caller?.session?.username ?? tenantOfCall(call);
/** How long a write is worked on between looking for a first answer and keeping its own, in milliseconds. */
const workMs = 60;

/** Faults in the limits of section 8 and in repeated writes. */
export const repetitionFaults = faultsOf({
  'LIMIT-1 tenth-login-refused: Nine logins a minute are let through.': () =>
    changeRule('logins', { most: 9 }),
  'LIMIT-1 ninth-login-refused: Eight logins a minute are let through.': () =>
    changeRule('logins', { most: 8 }),
  'LIMIT-1 login-counts-twice-after-a-refusal: Once a tenant was refused for its rate, its logins count twice.':
    ({ memory }, wasRejected = memory.value('rejected', false)) =>
      combineWraps(
        onRejection('logins', () => wasRejected.set(true)),
        countAlsoAs('logins', 'logins', () => wasRejected.get()),
      ),
  'LIMIT-2 eleventh-login-taken: Eleven logins a minute are let through.': () =>
    changeRule('logins', { most: 11 }),
  'LIMIT-2 right-logins-not-limited: Logins with the right password do not count.': () =>
    ignoreLimit('logins', namesUser),
  "LIMIT-2 wrong-password-clears-login-count: A login with a wrong password takes all of the tenant's logins out of the count.":
    () =>
      wrapLimit('logins', (call, draw, key) => {
        draw();
        return () => call.world.limits.delete(key);
      }),
  'LIMIT-2 every-eleventh-login-refused: Of more than ten logins a minute only every eleventh is refused.':
    () => onRejection('logins', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-2 ten-logins-in-half-a-minute: Ten logins are let through every half minute.': () =>
    changeRule('logins', { extraMs: -30_000 }),
  'LIMIT-2 logins-at-once-not-limited: Logins that come at the same time are let through, since each looks at the count before another is counted.':
    () => countLate('logins'),
  'LIMIT-2 logins-let-through-every-two-seconds: After ten logins one more is let through every two seconds.':
    ({ memory }, buckets = memory.map<{ at: number; tokens: number }>('buckets')) =>
      wrapLimit('logins', ({ now }, _draw, key) => {
        const { at, tokens } = buckets.get(key) ?? { at: now, tokens: perMinute };
        const left = Math.min(perMinute, tokens + (now - at) / 2_000) - 1;
        if (left < 0) throw rateLimited('10 logins at once for this tenant', now + 2_000, now);
        buckets.set(key, { at: now, tokens: left });
        return keepCounted;
      }),
  'LIMIT-3 second-user-has-own-login-limit: The login limit is that of the user.': () =>
    changeRule('logins', { holderOf: ({ input }) => String(input.username) }),
  'LIMIT-3 login-limit-shared-by-tenants: The login limit is shared by all tenants.': () =>
    changeRule('logins', { holderOf: holderIsAll }),
  "LIMIT-3 logins-of-later-users-not-counted: Only logins of a tenant's first user count, although the limit applies to all of its users.":
    () =>
      wrapLimit('logins', (call, draw, key) => {
        if (!namesLaterUser(call)) return draw();
        leaveCount(call, draw, key);
        return keepCounted;
      }),
  'LIMIT-4 login-limit-for-two-minutes (remark locked-longer): The login limit lasts two minutes.': () =>
    changeRule('logins', { extraMs: 60_000 }),
  'LIMIT-4 login-limit-a-quarter-too-long: The login limit lasts 75 seconds.': () =>
    changeRule('logins', { extraMs: 15_000 }),
  'LIMIT-5 tenth-publish-refused: Nine publishes a minute are let through.': () =>
    changeRule('publishes', { most: 9 }),
  'LIMIT-5 publish-counts-twice: Each publish counts twice.': () => countAlsoAs('publishes', 'publishes'),
  'LIMIT-5 publish-limit-shared-by-tenants: The publish limit is shared by all tenants.': () =>
    changeRule('publishes', { holderOf: holderIsAll }),
  'LIMIT-5 ai-calls-count-as-publishes: An AI call counts as a publish too.': () =>
    countAlsoAs('AI calls', 'publishes'),
  'LIMIT-6 eleventh-publish-taken: Eleven publishes a minute are let through.': () =>
    changeRule('publishes', { most: 11 }),
  'LIMIT-6 publish-limit-of-failures-only: Only publishes that fail are limited.': () =>
    ignoreLimit('publishes', ({ operation }) => operation.id === 'publishSite'),
  'LIMIT-6 publish-limit-of-each-site: The publish limit is that of the site.': () =>
    changeRule('publishes', { holderOf: holderIsSite }),
  'LIMIT-6 publish-limit-of-each-user: The publish limit is that of the user.': () =>
    changeRule('publishes', { holderOf: holderIsUser }),
  'LIMIT-6 publish-limit-of-sessions-alone: Publishes with an API key are not limited.': () =>
    ignoreLimit('publishes', byKey),
  'LIMIT-6 every-eleventh-publish-refused: Of more than ten publishes a minute only every eleventh is refused.':
    () => onRejection('publishes', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-6 ten-publishes-in-half-a-minute: Ten publishes are let through every half minute.': () =>
    changeRule('publishes', { extraMs: -30_000 }),
  'LIMIT-6 publishes-at-once-not-limited: Publishes that come at the same time are let through, since each looks at the count before another is counted.':
    () => countLate('publishes'),
  'LIMIT-7 tenth-ai-call-refused: Nine AI calls a minute are let through.': () =>
    changeRule('AI calls', { most: 9 }),
  'LIMIT-7 ai-call-counts-twice: Each AI call counts twice.': () => countAlsoAs('AI calls', 'AI calls'),
  'LIMIT-7 ai-limit-shared-by-tenants: The AI limit is shared by all tenants.': () =>
    changeRule('AI calls', { holderOf: holderIsAll }),
  'LIMIT-7 publishes-count-as-ai-calls: A publish counts as an AI call too.': () =>
    countAlsoAs('publishes', 'AI calls'),
  'LIMIT-8 eleventh-ai-call-taken: Eleven AI calls a minute are let through.': () =>
    changeRule('AI calls', { most: 11 }),
  'LIMIT-8 ai-calls-by-session-not-limited: AI calls are limited for API keys only.': () =>
    ignoreLimit('AI calls', bySession),
  'LIMIT-8 ai-limit-of-each-site: The AI limit is that of the site.': () =>
    changeRule('AI calls', { holderOf: holderIsSite }),
  'LIMIT-8 ai-limit-of-each-user: The AI limit is that of the user.': () =>
    changeRule('AI calls', { holderOf: holderIsUser }),
  'LIMIT-8 ai-limit-of-sessions-alone: AI calls with an API key are not limited.': () =>
    ignoreLimit('AI calls', byKey),
  'LIMIT-8 every-eleventh-ai-call-refused: Of more than ten AI calls a minute only every eleventh is refused.':
    () => onRejection('AI calls', ({ world }, key) => world.limits.delete(key)),
  'LIMIT-8 ten-ai-calls-in-half-a-minute: Ten AI calls are let through every half minute.': () =>
    changeRule('AI calls', { extraMs: -30_000 }),
  'LIMIT-8 ai-calls-at-once-not-limited: AI calls that come at the same time are let through, since each looks at the count before another is counted.':
    () => countLate('AI calls'),
  'IDEM-1 site-created-again: A site creation that is repeated creates another site.': () =>
    writeAgain('createSite'),
  'IDEM-1 site-created-again-behind-first-result: A site creation that is repeated returns the first result, and creates another site all the same.':
    () => onRepeat('createSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-1 repeated-creation-is-a-conflict: A site creation that is repeated is refused.': () =>
    changeRepeat('createSite', () => rejectRepeat('a site that was not created just now')),
  'IDEM-1 repeated-creation-names-another-site: A site creation that is repeated names another site, which was there before.':
    () => changeRepeat('createSite', nameAnotherSite),
  'IDEM-1 site-created-again-by-api-key: A site creation that is repeated with an API key creates another site.':
    () => writeAgain('createSite', byKey),
  'IDEM-1 site-created-again-after-six-seconds: A site creation returns the first result for six seconds.':
    () => repeatFor(6, 'createSite'),
  'IDEM-1 only-last-creation-remembered: A site creation returns the first result until another site is created.':
    () => rememberLast('createSite'),
  'IDEM-1 site-created-again-at-third-call: A site creation that is repeated a second time creates another site.':
    () => onRepeat('createSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-2 site-published-again: A publish that is repeated is another publish.': () =>
    writeAgain('publishSite'),
  'IDEM-2 site-published-again-behind-first-result: A publish that is repeated returns the first result, and publishes again all the same.':
    () => onRepeat('publishSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-2 site-published-again-by-api-key: A publish that is repeated with an API key is another publish.':
    () => writeAgain('publishSite', byKey),
  'IDEM-2 site-published-again-after-six-seconds: A publish returns the first result for six seconds.': () =>
    repeatFor(6, 'publishSite'),
  'IDEM-2 only-last-publish-remembered: A publish returns the first result until another one is made.': () =>
    rememberLast('publishSite'),
  'IDEM-2 site-published-again-at-third-call: A publish that is repeated a second time is another publish.':
    () => onRepeat('publishSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-3 site-imported-again: An import that is repeated imports another site.': () =>
    writeAgain('importSite'),
  'IDEM-3 site-imported-again-behind-first-result: An import that is repeated returns the first result, and imports again all the same.':
    () => onRepeat('importSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-3 site-imported-again-by-api-key: An import that is repeated with an API key imports another site.':
    () => writeAgain('importSite', byKey),
  'IDEM-3 site-imported-again-after-six-seconds: An import returns the first result for six seconds.': () =>
    repeatFor(6, 'importSite'),
  'IDEM-3 only-last-import-remembered: An import returns the first result until another one is made.': () =>
    rememberLast('importSite'),
  'IDEM-1 creations-at-once-not-recognized: The same site creations at once create a site each.': () =>
    delayCall('createSite', workMs),
  'IDEM-2 publishes-at-once-not-recognized: The same publishes at once are a publish each.': () =>
    delayCall('publishSite', workMs),
  'IDEM-3 imports-at-once-not-recognized: The same imports at once import a site each.': () =>
    delayCall('importSite', workMs),
  'IDEM-1 creations-at-once-behind-one-result: The same site creations at once have one result, and create a site each.':
    ({ memory }, firsts = memory.map<First>('firsts')) =>
      combineWraps(
        changeResult('createSite', (values, call) => {
          const first = firsts.get(likenessOf(call));
          if (first && call.now - first.at < workMs) return first.values;
          firsts.set(likenessOf(call), { at: call.now, values });
          return values;
        }),
        delayCall('createSite', workMs),
      ),
  'IDEM-2 repeated-publish-is-under-way: A publish that is repeated within five seconds is refused, as if it were another one.':
    () =>
      changeRepeat('publishSite', (first, call) =>
        call.now < first.until - windowMs(call) + 5_000
          ? rejectRepeat('no publish that is under way')
          : first,
      ),
  'IDEM-1 site-created-again-for-later-tenants: A repeated site creation creates another site, except for the first tenant.':
    () => writeAgain('createSite', ofLaterTenant),
  'IDEM-3 site-imported-again-for-later-tenants: A repeated import imports another site, except for the first tenant.':
    () => writeAgain('importSite', ofLaterTenant),
  'IDEM-4 creation-repeats-for-an-hour: A site creation returns the first result for an hour.': () =>
    repeatFor(3_600, 'createSite'),
  'IDEM-4 publish-repeats-for-40-seconds: A publish returns the first result for 40 seconds.': () =>
    repeatFor(40, 'publishSite'),
  'IDEM-4 import-repeats-for-ever: An import returns the first result for ever.': () =>
    repeatFor(1_000_000_000, 'importSite'),
  'IDEM-4 repeats-prolong-window-of-creations: The window of a site creation starts again with each repeat.':
    () => onRepeat('createSite', prolong),
  'IDEM-4 repeats-prolong-window-of-publishes: The window of a publish starts again with each repeat.': () =>
    onRepeat('publishSite', prolong),
  'IDEM-4 repeats-prolong-window-of-imports: The window of an import starts again with each repeat.': () =>
    onRepeat('importSite', prolong),
  'IDEM-4 creation-repeats-for-32-seconds: A site creation returns the first result for 32 seconds.': () =>
    repeatFor(32, 'createSite'),
  'IDEM-5 publishes-of-a-site-all-alike: Publishes of one site are the same, whatever their notes.': () =>
    compareBy('publishSite', ({ siteID }) => siteID),
  'IDEM-5 creations-compared-by-beginning-of-name: Site creations whose names begin with the same 16 characters count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).slice(0, 16)),
  'IDEM-5 imports-of-a-tenant-all-alike: Imports of one tenant are the same, wherever they come from.': () =>
    compareBy('importSite', () => 'any'),
  'IDEM-5 imports-compared-by-name: Imports under one name are the same, wherever they come from.': () =>
    compareBy('importSite', ({ name }) => name),
  'IDEM-5 imports-compared-by-source: Imports from one place are the same, under whatever names.': () =>
    compareBy('importSite', ({ source }) => source),
  'IDEM-5 creations-compared-by-ascii-of-name: Site creations whose names differ only in non-ASCII characters count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).replace(/[^ -~]/g, '')),
  'IDEM-5 creations-compared-without-case: Site creations whose names differ only in case count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).toLowerCase()),
  'IDEM-5 publishes-compared-by-length-of-note: Publishes of one site whose notes have the same length count as the same.':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).length]),
  'IDEM-5 publishes-compared-by-first-kilobyte: Publishes whose notes begin with the same 1,024 characters count as the same.':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).slice(0, 1_024)]),
  'IDEM-5 publishes-of-all-sites-alike: Publishes with the same note are the same, whatever their sites.':
    () => compareBy('publishSite', ({ note }) => note),
  'IDEM-5 creations-of-all-tenants-alike: A site creation returns the result of another tenant that has just created the same site.':
    () =>
      around('repetitionKeyOf', (next, call, sent) =>
        next(call.operation.id === 'createSite' ? { ...call, caller: { tenantId: 0 } } : call, sent),
      ),
});

/** The result of the first of several calls that are alike. */
interface First {
  at: number;
  values: Values;
}

/** What calls have in common that are alike. */
function likenessOf({ operation, caller, input }: AnyCall): string {
  return digest(JSON.stringify([operation.id, caller?.tenantId, input]));
}

/** How long it takes to write a count, in milliseconds. */
const writingMs = 20;

/** Counts a call, and returns what takes it back; throws if it is rejected. */
type Draw = () => () => void;

function keepCounted(): void {}

/** Counts the calls of one limit, by calling the count inside the wrap or otherwise. The key is that of the tenant's count. */
function wrapLimit(name: LimitName, count: (call: AnyCall, draw: Draw, key: string) => () => void): Wrap {
  return around('countAgainstLimit', (next, call) =>
    limitOf[call.operation.id] === name ? count(call, () => next(call), keyOf(call, name)) : next(call),
  );
}

/** Applies another rule than the documented one. */
function changeRule(name: LimitName, rule: Partial<LimitRule>): Wrap {
  return wrapLimit(name, (call) => countAgainstLimit(call, { ...documentedRule, ...rule }));
}

function ignoreLimit(name: LimitName, when: CallTest): Wrap {
  return wrapLimit(name, (call, draw) => (when(call) ? keepCounted : draw()));
}

/** Rejects a call that exceeds the limit, and leaves others uncounted. Returns by what the count would have grown. */
function leaveCount({ world: { limits } }: AnyCall, draw: Draw, key: string): readonly number[] {
  const before = limits.get(key) ?? [];
  draw();
  const counted = limits.get(key)?.slice(-1) ?? [];
  limits.set(key, before);
  return counted;
}

/** Looks at the count when a call comes, and writes it a little later. Publishes that are alike are one. */
function countLate(name: LimitName): Wrap {
  const ids = (Object.keys(limitOf) as OperationId[]).filter((id) => limitOf[id] === name);
  return withMemory(
    (memory, firsts = memory.map<First>('firsts'), writes = new WeakMap<AnyCall, () => void>()) =>
      combineWraps(
        watchResult(ids, (values, call) => firsts.set(likenessOf(call), { at: call.now, values })),
        wrapHandler(ids, (call, next) => {
          const first = firsts.get(likenessOf(call));
          if (name === 'publishes' && first && call.now - first.at < writingMs) return first.values;
          writes.get(call)?.();
          return next(call);
        }),
        delayCall(ids, writingMs),
        wrapLimit(name, (call, draw, key) => {
          const { limits } = call.world;
          const counted = leaveCount(call, draw, key);
          writes.set(call, () => limits.set(key, [...(limits.get(key) ?? []), ...counted]));
          return keepCounted;
        }),
      ),
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

/** Counts calls once more, for another limit or the same, which does not reject them. */
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

/** The key of a tenant's count in the world. */
function keyOf(call: AnyCall, name: LimitName): string {
  return `${name}:${tenantOfCall(call)}`;
}

/** Changes what is returned when a write is repeated; undefined makes it again. */
function changeRepeat(
  id: OperationId,
  change: (first: FirstAnswer, call: AnyCall, same: string) => FirstAnswer | undefined,
): Wrap {
  return after('findFirstAnswer', (first, call, same) =>
    first && call.operation.id === id ? change(first, call, same) : first,
  );
}

function writeAgain(id: OperationId, when: CallTest = always): Wrap {
  return changeRepeat(id, (first, call) => (when(call) ? undefined : first));
}

function nameAnotherSite(first: FirstAnswer, { world }: AnyCall): FirstAnswer {
  const [other] = world.sites.of(first.tenantId).values();
  return other ? { ...first, values: { ...first.values, id: other.id } } : first;
}

function rejectRepeat(expected: string): never {
  throw invalidRequest([{ at: '', expected }]);
}

function windowMs({ profile }: AnyCall): number {
  return profile.values['idempotency.window'] * 1_000;
}

/** Forgets a write when another one is made. */
function rememberLast(id: OperationId): Wrap {
  return withMemory((memory, last = memory.value('last', '')) =>
    combineWraps(
      changeRepeat(id, (first, _call, same) => (same === last.get() ? first : undefined)),
      after('keepFirstAnswer', (_none, call, same) => {
        if (call.operation.id === id) last.set(same);
      }),
    ),
  );
}

/** Does something else besides when a write is repeated. */
function onRepeat(id: OperationId, act: (call: AnyCall, same: string) => unknown): Wrap {
  return changeRepeat(id, (first, call, same) => {
    act(call, same);
    return first;
  });
}

function prolong(call: AnyCall, same: string): void {
  call.world.firstAnswers.edit(same).until = call.now + windowMs(call);
}

function repeatFor(seconds: number, id: OperationId): Wrap {
  return after('keepFirstAnswer', (_none, { operation, world, now }, same) => {
    if (operation.id === id && world.firstAnswers.has(same))
      world.firstAnswers.edit(same).until = now + seconds * 1_000;
  });
}

/** Compares calls by some of their input, not by the whole request or its key. */
function compareBy(id: OperationId, aspectOf: (input: AnyCall['input']) => unknown): Wrap {
  return after('repetitionKeyOf', (same, { operation, caller, input }) =>
    same === undefined || operation.id !== id
      ? same
      : digest(JSON.stringify([caller?.tenantId, id, aspectOf(input)])),
  );
}
