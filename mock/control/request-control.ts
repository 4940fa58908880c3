// The journal of the service.
import type { JournalEntry } from '../http/journal.ts';
import { checkOperation } from './check-operation.ts';
import type { ControlContext } from './control-context.ts';
import type { JournalView, RequestFilter } from './control-views.ts';
import { showRequest } from './show-request.ts';
import { findTenant } from './tenants.ts';

export function requestControl({ service }: ControlContext) {
  function requests(filter: RequestFilter = {}): JournalView {
    const { tenant, operation, after = 0 } = filter;
    if (operation !== undefined) checkOperation(service, operation);
    const tenantId = tenant === undefined ? undefined : findTenant(service.world, tenant).id;
    const fits = ({ id, exchange }: JournalEntry) =>
      id > after &&
      (operation === undefined || exchange.operation === operation) &&
      (tenantId === undefined || exchange.tenantId === tenantId);
    const shown = service.journal
      .entries()
      .filter(fits)
      .map((entry) => showRequest(service, entry));
    return { requests: shown, total: shown.length, evicted: service.journal.evicted() };
  }

  return {
    requests,
    clearRequests(): JournalView {
      service.journal.clear();
      return requests();
    },
  };
}
