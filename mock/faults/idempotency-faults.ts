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
  'IDEM-1 site-created-again: creates another site when a creation is repeated': () =>
    writeAgain('createSite'),
  'IDEM-1 site-created-again-behind-first-result: creates another site when a creation is repeated, but returns the first':
    () => onRepeat('createSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-1 repeated-creation-is-a-conflict: rejects a repeated site creation': () =>
    changeRepeat('createSite', () => rejectRepeat('a site that was not created just now')),
  'IDEM-1 repeated-creation-names-another-site: returns another existing site when a creation is repeated':
    () =>
      changeRepeat('createSite', (first, { world }) => {
        const [other] = world.sites.of(first.tenantId).values();
        return other ? { ...first, values: { ...first.values, id: other.id } } : first;
      }),
  'IDEM-1 site-created-again-by-api-key: creates another site when an API key repeats a creation': () =>
    writeAgain('createSite', byKey),
  'IDEM-1 site-created-again-after-six-seconds: recognizes a repeated site creation for only six seconds':
    () => repeatFor(6, 'createSite'),
  'IDEM-1 only-last-creation-remembered: recognizes a repeated site creation only until the next creation':
    () => rememberLast('createSite'),
  'IDEM-1 site-created-again-at-third-call: creates another site at the second repetition of a creation':
    () => onRepeat('createSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-2 site-published-again: publishes again when a publish is repeated': () => writeAgain('publishSite'),
  'IDEM-2 site-published-again-behind-first-result: publishes again when a publish is repeated, but returns the first result':
    () => onRepeat('publishSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-2 site-published-again-by-api-key: publishes again when an API key repeats a publish': () =>
    writeAgain('publishSite', byKey),
  'IDEM-2 site-published-again-after-six-seconds: recognizes a repeated publish for only six seconds': () =>
    repeatFor(6, 'publishSite'),
  'IDEM-2 only-last-publish-remembered: recognizes a repeated publish only until the next publish': () =>
    rememberLast('publishSite'),
  'IDEM-2 site-published-again-at-third-call: publishes again at the second repetition of a publish': () =>
    onRepeat('publishSite', ({ world }, same) => world.firstAnswers.delete(same)),
  'IDEM-3 site-imported-again: imports another site when an import is repeated': () =>
    writeAgain('importSite'),
  'IDEM-3 site-imported-again-behind-first-result: imports again when an import is repeated, but returns the first result':
    () => onRepeat('importSite', (call) => handlerOf(call.operation.id)(call)),
  'IDEM-3 site-imported-again-by-api-key: imports another site when an API key repeats an import': () =>
    writeAgain('importSite', byKey),
  'IDEM-3 site-imported-again-after-six-seconds: recognizes a repeated import for only six seconds': () =>
    repeatFor(6, 'importSite'),
  'IDEM-3 only-last-import-remembered: recognizes a repeated import only until the next import': () =>
    rememberLast('importSite'),
  'IDEM-1 creations-at-once-not-recognized: creates several sites for identical simultaneous creations': () =>
    workApart('createSite'),
  'IDEM-2 publishes-at-once-not-recognized: publishes several times for identical simultaneous publishes':
    () => workApart('publishSite'),
  'IDEM-3 imports-at-once-not-recognized: imports several sites for identical simultaneous imports': () =>
    workApart('importSite'),
  'IDEM-1 creations-at-once-behind-one-result: creates several sites for identical simultaneous creations, but returns one result':
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
  'IDEM-2 repeated-publish-is-under-way: rejects a publish repeated within five seconds as a different one':
    () =>
      changeRepeat('publishSite', (first, call) =>
        call.now < first.until - windowMs(call) + 5_000
          ? rejectRepeat('no publish that is under way')
          : first,
      ),
  'IDEM-1 site-created-again-for-later-tenants: creates another site for a repeated creation, except for the first tenant':
    () => writeAgain('createSite', ofLaterTenant),
  'IDEM-3 site-imported-again-for-later-tenants: imports another site for a repeated import, except for the first tenant':
    () => writeAgain('importSite', ofLaterTenant),
  'IDEM-4 creation-repeats-for-an-hour: returns the first result of a repeated site creation for an hour':
    () => repeatFor(3_600, 'createSite'),
  'IDEM-4 publish-repeats-for-40-seconds: returns the first result of a repeated publish for 40 seconds':
    () => repeatFor(40, 'publishSite'),
  'IDEM-4 import-repeats-for-ever: returns the first result of a repeated import forever': () =>
    repeatFor(1_000_000_000, 'importSite'),
  'IDEM-4 repeats-prolong-window-of-creations: restarts the idempotency window of a site creation at each repetition':
    () => onRepeat('createSite', prolong),
  'IDEM-4 repeats-prolong-window-of-publishes: restarts the idempotency window of a publish at each repetition':
    () => onRepeat('publishSite', prolong),
  'IDEM-4 repeats-prolong-window-of-imports: restarts the idempotency window of an import at each repetition':
    () => onRepeat('importSite', prolong),
  'IDEM-4 creation-repeats-for-32-seconds: returns the first result of a repeated site creation for 32 seconds':
    () => repeatFor(32, 'createSite'),
  'IDEM-5 publishes-of-a-site-all-alike: treats publishes of one site with different notes as repetitions':
    () => compareBy('publishSite', ({ siteID }) => siteID),
  'IDEM-5 creations-compared-by-beginning-of-name: compares only the first 16 characters of names to recognize repeated site creations':
    () => compareBy('createSite', ({ name }) => String(name).slice(0, 16)),
  'IDEM-5 imports-of-a-tenant-all-alike: treats all imports of a tenant as repetitions, even from different sources':
    () => compareBy('importSite', () => 'any'),
  'IDEM-5 imports-compared-by-name: treats imports with the same name as repetitions, even from different sources':
    () => compareBy('importSite', ({ name }) => name),
  'IDEM-5 imports-compared-by-source: treats imports from one source as repetitions, even with different names':
    () => compareBy('importSite', ({ source }) => source),
  'IDEM-5 creations-compared-by-ascii-of-name: compares only the ASCII characters of names to recognize repeated site creations':
    () => compareBy('createSite', ({ name }) => String(name).replace(/[^ -~]/g, '')),
  'IDEM-5 creations-compared-without-case: compares names without case to recognize repeated site creations':
    () => compareBy('createSite', ({ name }) => String(name).toLowerCase()),
  'IDEM-5 publishes-compared-by-length-of-note: compares only the length of notes to recognize repeated publishes':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).length]),
  'IDEM-5 publishes-compared-by-first-kilobyte: compares only the first 1,024 characters of notes to recognize repeated publishes':
    () => compareBy('publishSite', ({ siteID, note }) => [siteID, String(note).slice(0, 1_024)]),
  'IDEM-5 publishes-of-all-sites-alike: treats publishes of different sites with the same note as repetitions':
    () => compareBy('publishSite', ({ note }) => note),
  "IDEM-5 creations-of-all-tenants-alike: returns another tenant's result for the creation of the same site":
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
