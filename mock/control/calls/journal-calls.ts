import type { JournalEntry } from '../../http/journal.ts';
import { checkOperation, findTenant, found } from '../control-error.ts';
import type { Call } from '../controlled-mock.ts';
import { listOf, showRequest } from '../show.ts';

export const listRequests: Call<'listRequests'> = (mock, { query }) => {
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
};

export const getRequest: Call<'getRequest'> = (mock, { path: { id } }) =>
  showRequest(mock, found(mock.journal.find(id), `request ${id} in the journal`, 'requests'));

export const clearRequests: Call<'clearRequests'> = (mock, input) => {
  mock.journal.clear();
  return listRequests(mock, input);
};
