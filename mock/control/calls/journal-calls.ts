// What the service was asked and what it answered.
import type { JournalEntry } from '../../http/journal.ts';
import { checkOperation } from '../check-operation.ts';
import { ControlError } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { listOf } from '../page-of.ts';
import { showRequest } from '../show-request.ts';
import { findTenant } from '../tenants.ts';
import type { Answer, Input } from './call.ts';

export function listRequests(
  mock: ControlledMock,
  { query }: Pick<Input<'listRequests'>, 'query'>,
): Answer<'listRequests'> {
  const { tenant, operation, after = 0 } = query;
  if (operation !== undefined) checkOperation(mock, operation);
  const { journal, world } = mock;
  const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
  const fits = ({ id, exchange }: JournalEntry) =>
    id > after &&
    (operation === undefined || exchange.operation === operation) &&
    (tenantId === undefined || exchange.tenantId === tenantId);
  const show = (entry: JournalEntry) => showRequest(mock, entry);
  return { ...listOf('requests', journal.entries().filter(fits), query, show), evicted: journal.evicted() };
}

export function getRequest(
  mock: ControlledMock,
  { path: { id } }: Input<'getRequest'>,
): Answer<'getRequest'> {
  const entry = mock.journal.find(id);
  if (entry) return showRequest(mock, entry);
  throw new ControlError(
    404,
    `there is no request ${id} in the journal (any more); GET /_mock/requests lists them`,
  );
}

export function clearRequests(mock: ControlledMock): Answer<'clearRequests'> {
  mock.journal.clear();
  return listRequests(mock, { query: {} });
}
