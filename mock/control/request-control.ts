// The journal of the service.
import type { JournalEntry } from '../http/journal-entries.ts';
import type { World } from '../world/world.ts';
import { checkOperation } from './check-operation.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { JournalView, RequestFilter, RequestView } from './control-views.ts';
import { pageOf } from './page-of.ts';
import { showRequest } from './show-request.ts';
import { findTenant } from './tenants.ts';

export function requestControl({ service, read, change }: ControlContext) {
  const { journal, profile } = service;

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
      if (filter.operation !== undefined) checkOperation(service, filter.operation);
      return read((world) => showJournal(world, filter));
    },

    request(id: number): RequestView {
      const entry = journal.find(id);
      if (!entry)
        throw new ControlError(
          404,
          `there is no request ${id} in the journal (any more); GET /_mock/requests lists them`,
        );
      return read((world) => showRequest({ profile, world }, entry));
    },

    clearRequests: (): JournalView =>
      change((world) => {
        journal.clear();
        return showJournal(world, {});
      }),
  };
}
