// The control of a mock, for whoever runs it in the same process. The HTTP calls (routes.ts) do nothing else.
import { clockControl } from './clock-control.ts';
import type { ControlContext } from './control-context.ts';
import { faultControl } from './fault-control.ts';
import { inboxControl } from './inbox-control.ts';
import { limitControl } from './limit-control.ts';
import { overrideControl } from './override-control.ts';
import { pushControl } from './push-control.ts';
import { requestControl } from './request-control.ts';
import { stateControl } from './state-control.ts';
import { tokenControl } from './token-control.ts';

/** Each method does what the call of its name does, and gives what that answers. It throws a ControlError where the call is refused. */
export type Control = ReturnType<typeof createControl>;

export function createControl(context: ControlContext) {
  // Everybody who listens to the stream or moves the clock adds a listener.
  context.service.events.setMaxListeners(0);
  return {
    ...stateControl(context),
    ...clockControl(context),
    ...pushControl(context),
    ...requestControl(context),
    ...overrideControl(context),
    ...faultControl(context),
    ...tokenControl(context),
    ...limitControl(context),
    ...inboxControl(context),
  };
}
