import type { OperationId } from '../../openapi/operations.ts';
import type { AnyCall } from '../operations/call.ts';
import { handlerOf } from '../operations/index.ts';
import { invalidRequest } from '../problems.ts';
import { digest } from '../secrets.ts';
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
    wrap: (parts) => ({
      firstAnswer(call, same) {
        const first = parts.firstAnswer(call, same);
        if (first && call.operation.id === 'createSite')
          throw invalidRequest([{ at: '', expected: 'a site that was not created just now' }]);
        return first;
      },
    }),
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
];

function forgetting(id: OperationId): Wrap {
  return (parts) => ({
    firstAnswer: (call, same) => (call.operation.id === id ? undefined : parts.firstAnswer(call, same)),
  });
}

/** The first answer is found, and the write is made again without anybody seeing its result. */
function doingAgain(id: OperationId): Wrap {
  return (parts) => ({
    firstAnswer(call, same) {
      const first = parts.firstAnswer(call, same);
      if (first && call.operation.id === id) void parts.handle(handlerOf(id), call);
      return first;
    },
  });
}

function keeping(id: OperationId, seconds: number): Wrap {
  return (parts) => ({
    keepFirstAnswer(call, same, answer) {
      parts.keepFirstAnswer(call, same, answer);
      const first = call.world.firstAnswers.get(same);
      if (first && call.operation.id === id) first.until = call.now + seconds * 1_000;
    },
  });
}

/** Other things than the whole request, or its key, make a call the same. */
function comparing(id: OperationId, aspectOf: (input: AnyCall['input']) => unknown): Wrap {
  return (parts) => ({
    sameness(call, sent) {
      const own = parts.sameness(call, sent);
      if (own === undefined || call.operation.id !== id) return own;
      return digest(JSON.stringify([call.caller?.tenantId, id, aspectOf(call.input)]));
    },
  });
}
