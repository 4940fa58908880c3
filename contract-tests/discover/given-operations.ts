import { type Operation, type OperationId, operationsOf } from '../../openapi/operations.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';

/** The operations that values of gaps state, by id, without the documented ones. */
export function givenOperations(given: Readonly<Record<string, unknown>>): Map<OperationId, Operation> {
  const stated = Object.entries(given).filter(([id]) => id.startsWith('operation.'));
  const profile = makeProfile(Object.fromEntries(stated), { name: 'given', source: 'the given profile' });
  const operations = operationsOf(resolve(profile)).filter(({ gap }) => gap !== undefined);
  return new Map(operations.map((operation) => [operation.id, operation]));
}
