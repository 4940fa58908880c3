import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import { handlerOf } from '../operations/index.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { FirstAnswer } from '../world/entries.ts';
import { isByKey } from './caller-tools.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { goOnWith } from './results.ts';
import { wrapHandler } from './wrap-calls.ts';

/** Faults in repeated writes. */
export const idempotencyFaults: readonly Fault[] = [
  {
    id: 'site-created-again',
    title: 'A site creation that is repeated creates another site.',
    requirement: 'IDEM-1',
    wrap: forgetFirstAnswer('createSite'),
  },
  {
    id: 'site-created-again-behind-first-result',
    title:
      'A site creation that is repeated returns the first result, and creates another site all the same.',
    requirement: 'IDEM-1',
    wrap: repeatWrite('createSite'),
  },
  {
    id: 'repeated-creation-is-a-conflict',
    title: 'A site creation that is repeated is refused.',
    requirement: 'IDEM-1',
    wrap: wrapFirstAnswer('createSite', () => {
      throw invalidRequest([{ at: '', expected: 'a site that was not created just now' }]);
    }),
  },
  {
    id: 'repeated-creation-names-another-site',
    title: 'A site creation that is repeated names another site, which was there before.',
    requirement: 'IDEM-1',
    wrap: wrapFirstAnswer('createSite', nameAnotherSite),
  },
  {
    id: 'site-created-again-by-api-key',
    title: 'A site creation that is repeated with an API key creates another site.',
    requirement: 'IDEM-1',
    wrap: forgetFirstAnswer('createSite', isByKey),
  },
  {
    id: 'site-created-again-after-six-seconds',
    title: 'A site creation returns the first result for six seconds.',
    requirement: 'IDEM-1',
    wrap: keepFirstAnswerFor('createSite', 6),
  },
  {
    id: 'only-last-creation-remembered',
    title: 'A site creation returns the first result until another site is created.',
    requirement: 'IDEM-1',
    wrap: rememberLastWrite('createSite'),
  },
  {
    id: 'site-created-again-at-third-call',
    title: 'A site creation that is repeated a second time creates another site.',
    requirement: 'IDEM-1',
    wrap: answerOneRepeat('createSite'),
  },
  {
    id: 'site-published-again',
    title: 'A publish that is repeated is another publish.',
    requirement: 'IDEM-2',
    wrap: forgetFirstAnswer('publishSite'),
  },
  {
    id: 'site-published-again-behind-first-result',
    title: 'A publish that is repeated returns the first result, and publishes again all the same.',
    requirement: 'IDEM-2',
    wrap: repeatWrite('publishSite'),
  },
  {
    id: 'site-published-again-by-api-key',
    title: 'A publish that is repeated with an API key is another publish.',
    requirement: 'IDEM-2',
    wrap: forgetFirstAnswer('publishSite', isByKey),
  },
  {
    id: 'site-published-again-after-six-seconds',
    title: 'A publish returns the first result for six seconds.',
    requirement: 'IDEM-2',
    wrap: keepFirstAnswerFor('publishSite', 6),
  },
  {
    id: 'only-last-publish-remembered',
    title: 'A publish returns the first result until another one is made.',
    requirement: 'IDEM-2',
    wrap: rememberLastWrite('publishSite'),
  },
  {
    id: 'site-published-again-at-third-call',
    title: 'A publish that is repeated a second time is another publish.',
    requirement: 'IDEM-2',
    wrap: answerOneRepeat('publishSite'),
  },
  {
    id: 'site-imported-again',
    title: 'An import that is repeated imports another site.',
    requirement: 'IDEM-3',
    wrap: forgetFirstAnswer('importSite'),
  },
  {
    id: 'site-imported-again-behind-first-result',
    title: 'An import that is repeated returns the first result, and imports again all the same.',
    requirement: 'IDEM-3',
    wrap: repeatWrite('importSite'),
  },
  {
    id: 'site-imported-again-by-api-key',
    title: 'An import that is repeated with an API key imports another site.',
    requirement: 'IDEM-3',
    wrap: forgetFirstAnswer('importSite', isByKey),
  },
  {
    id: 'site-imported-again-after-six-seconds',
    title: 'An import returns the first result for six seconds.',
    requirement: 'IDEM-3',
    wrap: keepFirstAnswerFor('importSite', 6),
  },
  {
    id: 'only-last-import-remembered',
    title: 'An import returns the first result until another one is made.',
    requirement: 'IDEM-3',
    wrap: rememberLastWrite('importSite'),
  },
  {
    id: 'creations-at-once-not-recognized',
    title: 'The same site creations at once create a site each.',
    requirement: 'IDEM-1',
    wrap: lookBeforeWriting('createSite'),
  },
  {
    id: 'publishes-at-once-not-recognized',
    title: 'The same publishes at once are a publish each.',
    requirement: 'IDEM-2',
    wrap: lookBeforeWriting('publishSite'),
  },
  {
    id: 'imports-at-once-not-recognized',
    title: 'The same imports at once import a site each.',
    requirement: 'IDEM-3',
    wrap: lookBeforeWriting('importSite'),
  },
  {
    id: 'creations-at-once-behind-one-result',
    title: 'The same site creations at once have one result, and create a site each.',
    requirement: 'IDEM-1',
    wrap: showOneResult('createSite'),
  },
  {
    id: 'repeated-publish-is-under-way',
    title: 'A publish that is repeated within five seconds is refused, as if it were another one.',
    requirement: 'IDEM-2',
    wrap: wrapFirstAnswer('publishSite', (first, { now, profile }) => {
      if (now < first.until - profile.values['idempotency.window'] * 1_000 + 5_000)
        throw invalidRequest([{ at: '', expected: 'no publish that is under way' }]);
      return first;
    }),
  },
  {
    id: 'site-created-again-for-later-tenants',
    title: 'A repeated site creation creates another site, except for the first tenant.',
    requirement: 'IDEM-1',
    wrap: forgetFirstAnswer('createSite', ({ caller }) => (caller?.tenantId ?? 1) > 1),
  },
  {
    id: 'site-imported-again-for-later-tenants',
    title: 'A repeated import imports another site, except for the first tenant.',
    requirement: 'IDEM-3',
    wrap: forgetFirstAnswer('importSite', ({ caller }) => (caller?.tenantId ?? 1) > 1),
  },
  {
    id: 'creation-repeats-for-an-hour',
    title: 'A site creation returns the first result for an hour.',
    requirement: 'IDEM-4',
    wrap: keepFirstAnswerFor('createSite', 3_600),
  },
  {
    id: 'publish-repeats-for-40-seconds',
    title: 'A publish returns the first result for 40 seconds.',
    requirement: 'IDEM-4',
    wrap: keepFirstAnswerFor('publishSite', 40),
  },
  {
    id: 'import-repeats-for-ever',
    title: 'An import returns the first result for ever.',
    requirement: 'IDEM-4',
    wrap: keepFirstAnswerFor('importSite', 1_000_000_000),
  },
  {
    id: 'repeats-prolong-window-of-creations',
    title: 'The window of a site creation starts again with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolongWindow('createSite'),
  },
  {
    id: 'repeats-prolong-window-of-publishes',
    title: 'The window of a publish starts again with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolongWindow('publishSite'),
  },
  {
    id: 'repeats-prolong-window-of-imports',
    title: 'The window of an import starts again with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolongWindow('importSite'),
  },
  {
    id: 'creation-repeats-for-32-seconds',
    title: 'A site creation returns the first result for 32 seconds.',
    requirement: 'IDEM-4',
    wrap: keepFirstAnswerFor('createSite', 32),
  },
  {
    id: 'publishes-of-a-site-all-alike',
    title: 'Publishes of one site are the same, whatever their notes.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('publishSite', ({ siteID }) => siteID),
  },
  {
    id: 'creations-compared-by-beginning-of-name',
    title: 'Site creations whose names begin with the same 16 characters count as the same.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('createSite', ({ name }) => String(name).slice(0, 16)),
  },
  {
    id: 'imports-of-a-tenant-all-alike',
    title: 'Imports of one tenant are the same, wherever they come from.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('importSite', () => 'any'),
  },
  {
    id: 'imports-compared-by-name',
    title: 'Imports under one name are the same, wherever they come from.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('importSite', ({ name }) => name),
  },
  {
    id: 'imports-compared-by-source',
    title: 'Imports from one place are the same, under whatever names.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('importSite', ({ source }) => source),
  },
  {
    id: 'creations-compared-by-ascii-of-name',
    title: 'Site creations whose names differ only in non-ASCII characters count as the same.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('createSite', ({ name }) => String(name).replace(/[^ -~]/g, '')),
  },
  {
    id: 'creations-compared-without-case',
    title: 'Site creations whose names differ only in case count as the same.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('createSite', ({ name }) => String(name).toLowerCase()),
  },
  {
    id: 'publishes-compared-by-length-of-note',
    title: 'Publishes of one site whose notes have the same length count as the same.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('publishSite', ({ siteID, note }) => [siteID, String(note).length]),
  },
  {
    id: 'publishes-compared-by-first-kilobyte',
    title: 'Publishes whose notes begin with the same 1,024 characters count as the same.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('publishSite', ({ siteID, note }) => [siteID, String(note).slice(0, 1_024)]),
  },
  {
    id: 'publishes-of-all-sites-alike',
    title: 'Publishes with the same note are the same, whatever their sites.',
    requirement: 'IDEM-5',
    wrap: compareCallsBy('publishSite', ({ note }) => note),
  },
  {
    id: 'creations-of-all-tenants-alike',
    title: 'A site creation returns the result of another tenant that has just created the same site.',
    requirement: 'IDEM-5',
    wrap: (steps) => ({
      repetitionKeyOf: (call, sent) =>
        call.operation.id === 'createSite'
          ? steps.repetitionKeyOf({ ...call, caller: { tenantId: 0 } }, sent)
          : steps.repetitionKeyOf(call, sent),
    }),
  },
];

/** Changes what is returned when a write is repeated; undefined makes it again. */
function wrapFirstAnswer(
  id: OperationId,
  change: (first: FirstAnswer, call: AnyCall, same: string) => FirstAnswer | undefined,
): Wrap {
  return (steps) => ({
    findFirstAnswer(call, same) {
      const first = steps.findFirstAnswer(call, same);
      return first && call.operation.id === id ? change(first, call, same) : first;
    },
  });
}

function nameAnotherSite(first: FirstAnswer, { world }: AnyCall): FirstAnswer {
  const [other] = [...world.sites.values()].filter(({ tenantId }) => tenantId === first.tenantId);
  return other ? { ...first, values: { ...first.values, id: other.id } } : first;
}

function forgetFirstAnswer(id: OperationId, when: (call: AnyCall) => boolean = () => true): Wrap {
  return wrapFirstAnswer(id, (first, call) => (when(call) ? undefined : first));
}

/** Forgets a write when another one is made. */
function rememberLastWrite(id: OperationId): Wrap {
  return withMemory((memory, last = memory.value('last', '')) =>
    combineWraps(
      wrapFirstAnswer(id, (first, _call, same) => (same === last.get() ? first : undefined)),
      (steps) => ({
        keepFirstAnswer(call, same, answer) {
          if (call.operation.id === id) last.set(same);
          steps.keepFirstAnswer(call, same, answer);
        },
      }),
    ),
  );
}

/** Returns the first answer to one repeat, and then forgets it. */
function answerOneRepeat(id: OperationId): Wrap {
  return wrapFirstAnswer(id, (first, { world }, same) => {
    world.firstAnswers.delete(same);
    return first;
  });
}

function prolongWindow(id: OperationId): Wrap {
  return wrapFirstAnswer(id, (first, { now, profile, world }, same) => {
    world.firstAnswers.edit(same).until = now + profile.values['idempotency.window'] * 1_000;
    return first;
  });
}

/** Returns the first answer, and makes the write again without showing its result. */
function repeatWrite(id: OperationId): Wrap {
  return (steps, tools) =>
    wrapFirstAnswer(id, (first, call) => {
      void steps.handle(handlerOf(id), call);
      return first;
    })(steps, tools);
}

/** Works on a write for a moment between looking for a first answer and keeping its own. */
function lookBeforeWriting(id: OperationId): Wrap {
  return wrapHandler([id], async (call, next, change) => {
    await sleep(workMs);
    return change(() => next(call));
  });
}

/** The same, and answers with the first result all the same. */
function showOneResult(id: OperationId): Wrap {
  return withMemory((memory, firsts = memory.map<{ at: number; values: Values }>('firsts')) =>
    wrapHandler([id], async (call, next, change) => {
      await sleep(workMs);
      const same = digest(JSON.stringify([call.caller?.tenantId, call.input]));
      const show = (values: Values) => {
        const first = firsts.get(same);
        if (first && call.now - first.at < workMs) return first.values;
        firsts.set(same, { at: call.now, values });
        return values;
      };
      return change(() => goOnWith(next(call), change, show));
    }),
  );
}

const workMs = 60;

function keepFirstAnswerFor(id: OperationId, seconds: number): Wrap {
  return (steps) => ({
    keepFirstAnswer(call, same, answer) {
      steps.keepFirstAnswer(call, same, answer);
      const { firstAnswers } = call.world;
      if (firstAnswers.has(same) && call.operation.id === id)
        firstAnswers.edit(same).until = call.now + seconds * 1_000;
    },
  });
}

/** Compares calls by some of their input, not by the whole request or its key. */
function compareCallsBy(id: OperationId, aspectOf: (input: AnyCall['input']) => unknown): Wrap {
  return (steps) => ({
    repetitionKeyOf(call, sent) {
      const same = steps.repetitionKeyOf(call, sent);
      if (same === undefined || call.operation.id !== id) return same;
      return digest(JSON.stringify([call.caller?.tenantId, id, aspectOf(call.input)]));
    },
  });
}
