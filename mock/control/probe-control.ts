// Whether the mock lives, whether it can be given calls, and what it has counted.

import { ControlError } from './control-error.ts';
import type { LiveView, ReadyView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';

export function probeControl(mock: ControlledMock) {
  let isEnding = false;
  mock.events.once('closing', () => {
    isEnding = true;
  });

  return {
    live: (): LiveView => ({ live: true }),

    /** Throws a ControlError (503) with the reason. */
    async ready(): Promise<ReadyView> {
      const reason = isEnding ? 'the mock is ending' : await mock.store?.check();
      if (reason !== undefined) throw new ControlError(503, reason, { 'retry-after': '1' });
      return { ready: true };
    },

    /** In the text format of Prometheus. */
    metrics(): string {
      const { replicas, worlds } = mock.store?.status() ?? {};
      return mock.metrics.render({
        ...(replicas !== undefined && { sitepub_replicas: replicas }),
        ...(worlds !== undefined && { sitepub_kept_worlds: worlds }),
      });
    },
  };
}
