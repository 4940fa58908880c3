import { type Operation, type OperationId, operationsOf } from '../../openapi/operations.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';

/** The operations that a given profile states, by their id; the documented ones are not among them. */
export function givenOperations(given: Readonly<Record<string, unknown>>): Map<OperationId, Operation> {
  const stated = Object.entries(given).filter(([id]) => id.startsWith('operation.'));
  const profile = makeProfile(Object.fromEntries(stated), { name: 'given', source: 'the given profile' });
  const own = operationsOf(resolve(profile)).filter(({ gap }) => gap !== undefined);
  return new Map(own.map((operation) => [operation.id, operation]));
}
