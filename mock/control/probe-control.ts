// Whether the mock lives, whether it can be given calls, and what it has counted.
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { LiveView, ReadyView } from './control-views.ts';

export function probeControl({ service }: ControlContext) {
  let isEnding = false;
  service.events.once('closing', () => {
    isEnding = true;
  });

  return {
    live: (): LiveView => ({ live: true }),

    /** Throws a ControlError (503) with the reason. */
    async ready(): Promise<ReadyView> {
      const reason = isEnding ? 'the mock is ending' : await service.store?.check();
      if (reason !== undefined) throw new ControlError(503, reason, { 'retry-after': '1' });
      return { ready: true };
    },

    /** In the text format of Prometheus. */
    metrics(): string {
      const { replicas, worlds } = service.store?.status() ?? {};
      return service.metrics.render({
        ...(replicas !== undefined && { sitepub_replicas: replicas }),
        ...(worlds !== undefined && { sitepub_kept_worlds: worlds }),
      });
    },
  };
}
