// The control of a mock within its process. The HTTP calls (control-routes.ts) use the same methods.
import { callControl } from './call-control.ts';
import { clockControl } from './clock-control.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { faultControl } from './fault-control.ts';
import { inboxControl } from './inbox-control.ts';
import { limitControl } from './limit-control.ts';
import { overrideControl } from './override-control.ts';
import { overviewControl } from './overview-control.ts';
import { probeControl } from './probe-control.ts';
import { pushControl } from './push-control.ts';
import { requestControl } from './request-control.ts';
import { siteControl } from './site-control.ts';
import { stateControl } from './state-control.ts';
import { tenantControl } from './tenant-control.ts';
import { tokenControl } from './token-control.ts';
import { watchControl } from './watch.ts';
import { worldControl } from './world-control.ts';

/** Each method does what the HTTP call of its name does and returns the same answer, or throws a ControlError. */
export type Control = ReturnType<typeof createControl>;

export function createControl(mock: ControlledMock) {
  // Each client of the stream and each clock move adds a listener.
  mock.events.setMaxListeners(0);
  return {
    ...stateControl(mock),
    ...probeControl(mock),
    ...overviewControl(mock),
    ...tenantControl(mock),
    ...callControl(mock),
    ...clockControl(mock),
    ...siteControl(mock),
    ...pushControl(mock),
    ...requestControl(mock),
    ...overrideControl(mock),
    ...faultControl(mock),
    ...tokenControl(mock),
    ...limitControl(mock),
    ...inboxControl(mock),
    ...watchControl(mock),
    ...worldControl(mock),
  };
}
