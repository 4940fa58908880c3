// The control of a mock within its process. The HTTP calls (control-routes.ts) use the same methods.
import { callControl } from './call-control.ts';
import { clockControl } from './clock-control.ts';
import type { ControlContext } from './control-context.ts';
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

export function createControl(context: ControlContext) {
  // Each client of the stream and each clock move adds a listener.
  context.service.events.setMaxListeners(0);
  return {
    ...stateControl(context),
    ...probeControl(context),
    ...overviewControl(context),
    ...tenantControl(context),
    ...callControl(context),
    ...clockControl(context),
    ...siteControl(context),
    ...pushControl(context),
    ...requestControl(context),
    ...overrideControl(context),
    ...faultControl(context),
    ...tokenControl(context),
    ...limitControl(context),
    ...inboxControl(context),
    ...watchControl(context),
    ...worldControl(context),
  };
}
