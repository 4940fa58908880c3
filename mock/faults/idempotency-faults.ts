import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import { handlerOf } from '../operations/index.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { FirstAnswer } from '../world/entries.ts';
import { byKey, ofLaterTenant } from './callers.ts';
import { after, always, around, combineWraps, faultsOf, type Wrap, withMemory } from './fault.ts';
import { type CallTest, changeResult, delayCall } from './wrap-calls.ts';

/** Milliseconds of work between the look-up of a first answer and the storing of a new one. */
const workMs = 60;

export const idempotencyFaults = faultsOf({
  'IDEM-1 site-created-again: Repeating a site creation creates another site.': () =>
    writeAgain('createSite'),
  'IDEM-1 site-created-again-behind-first-result: Repeating a site creation returns the first result, but creates another site.':
    () => onRepeat('createSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-1 repeated-creation-is-a-conflict: Repeating a site creation is rejected.': () =>
    changeRepeat('createSite', () => rejectRepeat('a site that was not created just now')),
  'IDEM-1 repeated-creation-names-another-site: Repeating a site creation returns another, existing site.':
    () =>
      changeRepeat('createSite', (first, { world }) => {
        const [other] = world.sites.of(first.tenantId).values();
        return other ? { ...first, values: { ...first.values, id: other.id } } : first;
      }),
  'IDEM-1 site-created-again-by-api-key: Repeating a site creation with an API key creates another site.':
    () => writeAgain('createSite', byKey),
  'IDEM-1 site-created-again-after-six-seconds: A repeated site creation returns the first result only for six seconds.':
    () => repeatFor(6, 'createSite'),
  'IDEM-1 only-last-creation-remembered: A repeated site creation returns the first result only until another site is created.':
    () => rememberLast('createSite'),
  'IDEM-1 site-created-again-at-third-call: Repeating a site creation a second time creates another site.':
    () => onRepeat('createSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-2 site-published-again: Repeating a publish publishes again.': () => writeAgain('publishSite'),
  'IDEM-2 site-published-again-behind-first-result: Repeating a publish returns the first result, but publishes again.':
    () => onRepeat('publishSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-2 site-published-again-by-api-key: Repeating a publish with an API key publishes again.': () =>
    writeAgain('publishSite', byKey),
  'IDEM-2 site-published-again-after-six-seconds: A repeated publish returns the first result only for six seconds.':
    () => repeatFor(6, 'publishSite'),
  'IDEM-2 only-last-publish-remembered: A repeated publish returns the first result only until the next publish.':
    () => rememberLast('publishSite'),
  'IDEM-2 site-published-again-at-third-call: Repeating a publish a second time publishes again.': () =>
    onRepeat('publishSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-3 site-imported-again: Repeating an import imports another site.': () => writeAgain('importSite'),
  'IDEM-3 site-imported-again-behind-first-result: Repeating an import returns the first result, but imports again.':
    () => onRepeat('importSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-3 site-imported-again-by-api-key: Repeating an import with an API key imports another site.': () =>
    writeAgain('importSite', byKey),
  'IDEM-3 site-imported-again-after-six-seconds: A repeated import returns the first result only for six seconds.':
    () => repeatFor(6, 'importSite'),
  'IDEM-3 only-last-import-remembered: A repeated import returns the first result only until the next import.':
    () => rememberLast('importSite'),
  'IDEM-1 creations-at-once-not-recognized: Identical simultaneous site creations each create a site.': () =>
    workApart('createSite'),
  'IDEM-2 publishes-at-once-not-recognized: Identical simultaneous publishes each publish.': () =>
    workApart('publishSite'),
  'IDEM-3 imports-at-once-not-recognized: Identical simultaneous imports each import a site.': () =>
    workApart('importSite'),
  'IDEM-1 creations-at-once-behind-one-result: Identical simultaneous site creations return one result, but each creates a site.':
    ({ memory }, firsts = memory.map<{ at: number; values: Values }>('firsts')) =>
      combineWraps(
        changeResult('createSite', (values, { caller, input, now }) => {
          const same = digest(JSON.stringify([caller?.tenantId, input]));
          const first = firsts.get(same);
          if (first && now - first.at < workMs) return first.values;
          firsts.set(same, { at: now, values });
          return values;
        }),
        workApart('createSite'),
      ),
  'IDEM-2 repeated-publish-is-under-way: A publish that is repeated within five seconds is rejected as if it were a different one.':
    () =>
      changeRepeat('publishSite', (first, call) =>
        call.now < first.until - windowMs(call) + 5_000
          ? rejectRepeat('no publish that is under way')
          : first,
      ),
  'IDEM-1 site-created-again-for-later-tenants: Repeating a site creation creates another site, except for the first tenant.':
    () => writeAgain('createSite', ofLaterTenant),
  'IDEM-3 site-imported-again-for-later-tenants: Repeating an import imports another site, except for the first tenant.':
    () => writeAgain('importSite', ofLaterTenant),
  'IDEM-4 creation-repeats-for-an-hour: A repeated site creation returns the first result for an hour.': () =>
    repeatFor(3_600, 'createSite'),
  'IDEM-4 publish-repeats-for-40-seconds: A repeated publish returns the first result for 40 seconds.': () =>
    repeatFor(40, 'publishSite'),
  'IDEM-4 import-repeats-for-ever: A repeated import returns the first result forever.': () =>
    repeatFor(1_000_000_000, 'importSite'),
  'IDEM-4 repeats-prolong-window-of-creations: Each repeat restarts the idempotency window of a site creation.':
    () => onRepeat('createSite', prolong),
  'IDEM-4 repeats-prolong-window-of-publishes: Each repeat restarts the idempotency window of a publish.':
    () => onRepeat('publishSite', prolong),
  'IDEM-4 repeats-prolong-window-of-imports: Each repeat restarts the idempotency window of an import.': () =>
    onRepeat('importSite', prolong),
  'IDEM-4 creation-repeats-for-32-seconds: A repeated site creation returns the first result for 32 seconds.':
    () => repeatFor(32, 'createSite'),
  'IDEM-5 publishes-of-a-site-all-alike: Publishes of one site count as the same, even with different notes.':
    () => compareBy('publishSite', ({ siteID }) => siteID),
  'IDEM-5 creations-compared-by-beginning-of-name: Site creations whose names begin with the same 16 characters count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).slice(0, 16)),
  'IDEM-5 imports-of-a-tenant-all-alike: Imports of one tenant count as the same, even from different sources.':
    () => compareBy('importSite', () => 'any'),
  'IDEM-5 imports-compared-by-name: Imports with the same name count as the same, even from different sources.':
    () => compareBy('importSite', ({ name }) => name),
  'IDEM-5 imports-compared-by-source: Imports from one source count as the same, even with different names.':
    () => compareBy('importSite', ({ source }) => source),
  'IDEM-5 creations-compared-by-ascii-of-name: Site creations whose names differ only in non-ASCII characters count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).replace(/[^ -~]/g, '')),
  'IDEM-5 creations-compared-without-case: Site creations whose names differ only in case count as the same.':
    () => compareBy('createSite', ({ name }) => String(name).toLowerCase()),
  'IDEM-5 publishes-compared-by-length-of-note: Publishes of one site whose notes have the same length count as the same.':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).length]),
  'IDEM-5 publishes-compared-by-first-kilobyte: Publishes whose notes begin with the same 1,024 characters count as the same.':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).slice(0, 1_024)]),
  'IDEM-5 publishes-of-all-sites-alike: Publishes with the same note count as the same, even on different sites.':
    () => compareBy('publishSite', ({ note }) => note),
  'IDEM-5 creations-of-all-tenants-alike: A site creation returns the result of another tenant that has just created the same site.':
    () =>
      around('repetitionKeyOf', (next, call, sent) =>
        next(call.operation.id === 'createSite' ? { ...call, caller: { tenantId: 0 } } : call, sent),
      ),
});

/** Changes the answer to a repeated write; undefined makes the service execute it again. */
function changeRepeat(
  id: OperationId,
  change: (first: FirstAnswer, call: AnyCall, same: string) => FirstAnswer | undefined,
): Wrap {
  return after('findFirstAnswer', (first, call, same) =>
    first && call.operation.id === id ? change(first, call, same) : first,
  );
}

/** Repetitions do not wait for a call that is in progress. */
function workApart(id: OperationId): Wrap {
  return combineWraps(
    delayCall(id, workMs),
    around('joinWork', (next, mock, call, key) => (call.operation.id === id ? 0 : next(mock, call, key))),
  );
}

function writeAgain(id: OperationId, when: CallTest = always): Wrap {
  return changeRepeat(id, (first, call) => (when(call) ? undefined : first));
}

function rejectRepeat(expected: string): never {
  throw invalidRequest([{ at: '', expected }]);
}

function windowMs({ profile }: AnyCall): number {
  return profile.values['idempotency.window'] * 1_000;
}

function rememberLast(id: OperationId): Wrap {
  return withMemory((memory, last = memory.value('last', '')) =>
    combineWraps(
      changeRepeat(id, (first, _call, same) => (same === last.get() ? first : undefined)),
      after('storeFirstAnswer', (_none, call, same) => {
        if (call.operation.id === id) last.set(same);
      }),
    ),
  );
}

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
  return after('storeFirstAnswer', (_none, { operation, world, now }, same) => {
    if (operation.id === id && world.firstAnswers.has(same))
      world.firstAnswers.edit(same).until = now + seconds * 1_000;
  });
}

/** Recognises repetitions by part of the input, not by the whole request or its idempotency key. */
function compareBy(id: OperationId, aspectOf: (input: AnyCall['input']) => unknown): Wrap {
  return after('repetitionKeyOf', (same, { operation, caller, input }) =>
    same === undefined || operation.id !== id
      ? same
      : digest(JSON.stringify([caller?.tenantId, id, aspectOf(input)])),
  );
}
