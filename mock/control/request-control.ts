// The journal of the service.
import type { JournalEntry } from '../http/journal.ts';
import type { World } from '../world/world.ts';
import { checkOperation } from './check-operation.ts';
import { ControlError } from './control-error.ts';
import type { JournalView, RequestFilter, RequestView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { pageOf } from './page-of.ts';
import { showRequest } from './show-request.ts';
import { findTenant } from './tenants.ts';

export function requestControl(mock: ControlledMock) {
  const { journal, profile } = mock;

  function showJournal(world: World, filter: RequestFilter): JournalView {
    const { tenant, operation, after = 0 } = filter;
    const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
    const fits = ({ id, exchange }: JournalEntry) =>
      id > after &&
      (operation === undefined || exchange.operation === operation) &&
      (tenantId === undefined || exchange.tenantId === tenantId);
    const { shown, total, more } = pageOf(journal.entries().filter(fits), filter, ({ id }) => id);
    const requests = shown.map((entry) => showRequest({ profile, world }, entry));
    return { requests, total, ...more, evicted: journal.evicted() };
  }

  return {
    requests(filter: RequestFilter = {}): JournalView {
      if (filter.operation !== undefined) checkOperation(mock, filter.operation);
      return showJournal(mock.world, filter);
    },

    request(id: number): RequestView {
      const entry = journal.find(id);
      if (!entry)
        throw new ControlError(
          404,
          `there is no request ${id} in the journal (any more); GET /_mock/requests lists them`,
        );
      return showRequest({ profile, world: mock.world }, entry);
    },

    clearRequests: (): JournalView => {
      const { world } = mock;

      journal.clear();
      return showJournal(world, {});
    },
  };
}
