// The control of a mock, for whoever runs it in the same process. The HTTP calls (routes.ts) do nothing else.
import type { Service } from '../service.ts';
import { clockControl } from './clock.ts';
import { type Addresses, createControlContext } from './context.ts';
import { faultControl } from './faults.ts';
import { inboxControl } from './inboxes.ts';
import { limitControl } from './limits.ts';
import { overrideControl } from './overrides.ts';
import { pushControl } from './pushes.ts';
import { requestControl } from './requests.ts';
import { stateControl } from './state.ts';
import { tokenControl } from './tokens.ts';

/** Each method does what the call of its name does, and gives what that answers. It throws a ControlError where the call is refused. */
export type Control = ReturnType<typeof createControl>;

export function createControl(service: Service, about: () => Addresses) {
  // Everybody who listens to the stream or moves the clock adds a listener.
  service.events.setMaxListeners(0);
  const context = createControlContext(service, about);
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
