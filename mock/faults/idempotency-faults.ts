import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import { handlerOf } from '../operations/index.ts';
import type { AnyCall } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { Fault, Wrap } from './fault.ts';

/** Of writes that are repeated. */
export const idempotencyFaults: readonly Fault[] = [
  {
    id: 'site-created-again',
    title: 'A site creation that is repeated creates another site.',
    requirement: 'IDEM-1',
    wrap: forgetting('createSite'),
  },
  {
    id: 'site-created-again-behind-first-result',
    title: 'A site creation that is repeated gives the first result, and creates another site all the same.',
    requirement: 'IDEM-1',
    wrap: doingAgain('createSite'),
  },
  {
    id: 'repeated-creation-is-a-conflict',
    title: 'A site creation that is repeated is refused.',
    requirement: 'IDEM-1',
    wrap: (steps) => ({
      firstAnswer(call, same) {
        const first = steps.firstAnswer(call, same);
        if (first && call.operation.id === 'createSite')
          throw invalidRequest([{ at: '', expected: 'a site that was not created just now' }]);
        return first;
      },
    }),
  },
  {
    id: 'site-created-again-by-api-key',
    title: 'A site creation that is repeated with an API key creates another site.',
    requirement: 'IDEM-1',
    wrap: forgetting('createSite', ({ caller }) => !caller?.session),
  },
  {
    id: 'site-created-again-after-six-seconds',
    title: 'A site creation gives the first result for six seconds.',
    requirement: 'IDEM-1',
    wrap: keeping('createSite', 6),
  },
  {
    id: 'only-last-creation-remembered',
    title: 'A site creation gives the first result until another site is created.',
    requirement: 'IDEM-1',
    wrap: rememberingLast('createSite'),
  },
  {
    id: 'site-created-again-at-third-call',
    title: 'A site creation that is repeated a second time creates another site.',
    requirement: 'IDEM-1',
    wrap: givingOnce('createSite'),
  },
  {
    id: 'site-published-again',
    title: 'A publish that is repeated is another publish.',
    requirement: 'IDEM-2',
    wrap: forgetting('publishSite'),
  },
  {
    id: 'site-published-again-behind-first-result',
    title: 'A publish that is repeated gives the first result, and publishes again all the same.',
    requirement: 'IDEM-2',
    wrap: doingAgain('publishSite'),
  },
  {
    id: 'site-published-again-by-api-key',
    title: 'A publish that is repeated with an API key is another publish.',
    requirement: 'IDEM-2',
    wrap: forgetting('publishSite', ({ caller }) => !caller?.session),
  },
  {
    id: 'site-published-again-after-six-seconds',
    title: 'A publish gives the first result for six seconds.',
    requirement: 'IDEM-2',
    wrap: keeping('publishSite', 6),
  },
  {
    id: 'only-last-publish-remembered',
    title: 'A publish gives the first result until another one is made.',
    requirement: 'IDEM-2',
    wrap: rememberingLast('publishSite'),
  },
  {
    id: 'site-published-again-at-third-call',
    title: 'A publish that is repeated a second time is another publish.',
    requirement: 'IDEM-2',
    wrap: givingOnce('publishSite'),
  },
  {
    id: 'site-imported-again',
    title: 'An import that is repeated imports another site.',
    requirement: 'IDEM-3',
    wrap: forgetting('importSite'),
  },
  {
    id: 'site-imported-again-behind-first-result',
    title: 'An import that is repeated gives the first result, and imports again all the same.',
    requirement: 'IDEM-3',
    wrap: doingAgain('importSite'),
  },
  {
    id: 'site-imported-again-by-api-key',
    title: 'An import that is repeated with an API key imports another site.',
    requirement: 'IDEM-3',
    wrap: forgetting('importSite', ({ caller }) => !caller?.session),
  },
  {
    id: 'site-imported-again-after-six-seconds',
    title: 'An import gives the first result for six seconds.',
    requirement: 'IDEM-3',
    wrap: keeping('importSite', 6),
  },
  {
    id: 'only-last-import-remembered',
    title: 'An import gives the first result until another one is made.',
    requirement: 'IDEM-3',
    wrap: rememberingLast('importSite'),
  },
  {
    id: 'creation-repeats-for-an-hour',
    title: 'A site creation gives the first result for an hour.',
    requirement: 'IDEM-4',
    wrap: keeping('createSite', 3_600),
  },
  {
    id: 'publish-repeats-for-40-seconds',
    title: 'A publish gives the first result for 40 seconds.',
    requirement: 'IDEM-4',
    wrap: keeping('publishSite', 40),
  },
  {
    id: 'import-repeats-for-ever',
    title: 'An import gives the first result for ever.',
    requirement: 'IDEM-4',
    wrap: keeping('importSite', 1_000_000_000),
  },
  {
    id: 'repeats-prolong-window-of-creations',
    title: 'The window of a site creation begins anew with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolonging('createSite'),
  },
  {
    id: 'repeats-prolong-window-of-publishes',
    title: 'The window of a publish begins anew with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolonging('publishSite'),
  },
  {
    id: 'repeats-prolong-window-of-imports',
    title: 'The window of an import begins anew with each repeat.',
    requirement: 'IDEM-4',
    wrap: prolonging('importSite'),
  },
  {
    id: 'creation-repeats-for-32-seconds',
    title: 'A site creation gives the first result for 32 seconds.',
    requirement: 'IDEM-4',
    wrap: keeping('createSite', 32),
  },
  {
    id: 'publishes-of-a-site-all-alike',
    title: 'Publishes of one site are the same, whatever their notes.',
    requirement: 'IDEM-5',
    wrap: comparing('publishSite', ({ siteID }) => siteID),
  },
  {
    id: 'creations-compared-by-beginning-of-name',
    title: 'Site creations are the same whose names begin with the same 16 characters.',
    requirement: 'IDEM-5',
    wrap: comparing('createSite', ({ name }) => String(name).slice(0, 16)),
  },
  {
    id: 'imports-of-a-tenant-all-alike',
    title: 'Imports of one tenant are the same, wherever they come from.',
    requirement: 'IDEM-5',
    wrap: comparing('importSite', () => 'any'),
  },
  {
    id: 'imports-compared-by-name',
    title: 'Imports under one name are the same, wherever they come from.',
    requirement: 'IDEM-5',
    wrap: comparing('importSite', ({ name }) => name),
  },
  {
    id: 'imports-compared-by-source',
    title: 'Imports from one place are the same, under whatever names.',
    requirement: 'IDEM-5',
    wrap: comparing('importSite', ({ source }) => source),
  },
  {
    id: 'creations-compared-by-ascii-of-name',
    title: 'Site creations are the same whose names differ in other letters than those of ASCII alone.',
    requirement: 'IDEM-5',
    wrap: comparing('createSite', ({ name }) => String(name).replace(/[^ -~]/g, '')),
  },
  {
    id: 'creations-compared-without-case',
    title: 'Site creations are the same whose names differ in case alone.',
    requirement: 'IDEM-5',
    wrap: comparing('createSite', ({ name }) => String(name).toLowerCase()),
  },
  {
    id: 'publishes-compared-by-length-of-note',
    title: 'Publishes of one site are the same whose notes are of the same length.',
    requirement: 'IDEM-5',
    wrap: comparing('publishSite', ({ siteID, note }) => [siteID, String(note).length]),
  },
  {
    id: 'publishes-of-all-sites-alike',
    title: 'Publishes with the same note are the same, whatever their sites.',
    requirement: 'IDEM-5',
    wrap: comparing('publishSite', ({ note }) => note),
  },
  {
    id: 'creations-of-all-tenants-alike',
    title: 'A site creation gives the result of another tenant, if that one has just made the same.',
    requirement: 'IDEM-5',
    wrap: (steps) => ({
      sameness: (call, sent) =>
        call.operation.id === 'createSite'
          ? steps.sameness({ ...call, caller: { tenantId: 0 } }, sent)
          : steps.sameness(call, sent),
    }),
  },
];

function forgetting(id: OperationId, when: (call: AnyCall) => boolean = () => true): Wrap {
  return (steps) => ({
    firstAnswer: (call, same) =>
      call.operation.id === id && when(call) ? undefined : steps.firstAnswer(call, same),
  });
}

/** Another write takes the place of the one before. */
function rememberingLast(id: OperationId): Wrap {
  return (steps) => {
    let last: string | undefined;
    return {
      firstAnswer: (call, same) =>
        call.operation.id === id && same !== last ? undefined : steps.firstAnswer(call, same),
      keepFirstAnswer(call, same, answer) {
        if (call.operation.id === id) last = same;
        steps.keepFirstAnswer(call, same, answer);
      },
    };
  };
}

/** The first answer is given to one repeat, and then forgotten. */
function givingOnce(id: OperationId): Wrap {
  return (steps) => ({
    firstAnswer(call, same) {
      const first = steps.firstAnswer(call, same);
      if (first && call.operation.id === id) call.world.firstAnswers.delete(same);
      return first;
    },
  });
}

function prolonging(id: OperationId): Wrap {
  return (steps) => ({
    firstAnswer(call, same) {
      const first = steps.firstAnswer(call, same);
      const { now, profile } = call;
      if (first && call.operation.id === id) first.until = now + profile.values['idempotency.window'] * 1_000;
      return first;
    },
  });
}

/** The first answer is found, and the write is made again without anybody seeing its result. */
function doingAgain(id: OperationId): Wrap {
  return (steps) => ({
    firstAnswer(call, same) {
      const first = steps.firstAnswer(call, same);
      if (first && call.operation.id === id) void steps.handle(handlerOf(id), call);
      return first;
    },
  });
}

function keeping(id: OperationId, seconds: number): Wrap {
  return (steps) => ({
    keepFirstAnswer(call, same, answer) {
      steps.keepFirstAnswer(call, same, answer);
      const first = call.world.firstAnswers.get(same);
      if (first && call.operation.id === id) first.until = call.now + seconds * 1_000;
    },
  });
}

/** Other things than the whole request, or its key, make a call the same. */
function comparing(id: OperationId, aspectOf: (input: AnyCall['input']) => unknown): Wrap {
  return (steps) => ({
    sameness(call, sent) {
      const own = steps.sameness(call, sent);
      if (own === undefined || call.operation.id !== id) return own;
      return digest(JSON.stringify([call.caller?.tenantId, id, aspectOf(call.input)]));
    },
  });
}
