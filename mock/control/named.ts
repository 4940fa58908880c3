// What a call names: it is found, or the call is refused.
import type { OperationId } from '../../openapi/operations.ts';
import type { Mock } from '../service.ts';
import type { Tenant } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { refuse, unknownName } from './control-error.ts';
import type { ControlledMock, WorldKeeper } from './controlled-mock.ts';

/** An entry that was looked up; the refusal says which call lists those that there are. */
export function found<Entry>(entry: Entry | undefined, what: string, list: string): Entry {
  return entry ?? refuse(404, `there is no ${what}; GET /_mock/${list} lists them`);
}

/** A tenant by its id or name. */
export function findTenant({ tenants }: World, wanted: string | number): Tenant {
  const all = [...tenants.values()];
  const names = all.map(({ name }) => name);
  return (
    all.find(({ name }) => name === wanted) ??
    all.find(({ id }) => String(id) === String(wanted)) ??
    refuse(404, `there is no tenant ${unknownName(String(wanted), names)}`)
  );
}

export function nameOfTenant({ tenants }: World, id: number): string {
  return tenants.get(id)?.name ?? String(id);
}

/** The ids of a tenant's sites. */
export function sitesOf({ sites }: World, tenantId: number): Set<number> {
  return new Set(sites.of(tenantId).keys());
}

/** Refuses an operation that the mock does not serve. */
export function checkOperation(
  { operations }: Pick<Mock, 'operations'>,
  name: string,
): asserts name is OperationId {
  if (operations.some((operation) => operation === name)) return;
  refuse(400, `there is no operation ${unknownName(name, operations)}`);
}

const longestName = 100;

/** Refuses a name of an inbox that can't be part of a URL. */
export function checkInboxName(name: string): void {
  if (name !== '' && name.length <= longestName && name !== '.' && name !== '..') return;
  refuse(400, `the name of an inbox has 1 to ${longestName} characters, and is neither "." nor ".."`);
}

export function keeperOf({ keeper }: ControlledMock): WorldKeeper {
  return (
    keeper ??
    refuse(
      409,
      'this is the control API of one world; call /_mock/worlds at the root of the mock, without /w/NAME and X-Sitepub-World',
    )
  );
}
