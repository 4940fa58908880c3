// What stating an operation in a profile would verify: the requirements of the checks that need it.
import { readRequirements } from '../../openapi/registers.ts';
import type { Check } from '../check.ts';
import { checks } from '../checks/index.ts';

/** Operations without which others are of no use. */
const helpsWith: Readonly<Record<string, readonly string[]>> = {
  'operation.create-content': [
    'operation.publish-content',
    'operation.update-content',
    'operation.delete-content',
  ],
};

/** By the id of an operation gap, the ids of requirements, in the order of the register. */
export function usesOfOperations(all: readonly Check[] = checks): Map<string, string[]> {
  const pairs = all.flatMap(({ needs, requirement }) =>
    needs
      .map((need) => (need === 'retried-push' ? 'operation:any-event' : need))
      .filter((need) => need.startsWith('operation:'))
      .map((need) => [need.replace(':', '.'), requirement] as const),
  );
  const direct = Map.groupBy(pairs, ([gap]) => gap);
  const idsOf = (gap: string) => (direct.get(gap) ?? []).map(([, requirement]) => requirement);
  const ofAnyEvent = idsOf('operation.any-event');
  const causesEvent = (gap: string) => idsOf(gap).some((id) => eventRequirement.test(id));
  const gaps = [...direct.keys(), ...Object.keys(helpsWith)].filter((gap) => gap !== 'operation.any-event');
  const order = readRequirements().map(({ id }) => id);
  return new Map(
    gaps.map((gap) => {
      const own = [gap, ...(helpsWith[gap] ?? [])];
      const ids = new Set([...own.flatMap(idsOf), ...(own.some(causesEvent) ? ofAnyEvent : [])]);
      return [gap, order.filter((id) => ids.has(id))];
    }),
  );
}

/** EVENT-6 to EVENT-12: one event each. */
const eventRequirement = /^EVENT-([6-9]|1[0-2])$/;
