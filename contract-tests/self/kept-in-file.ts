// A mock whose world is kept, for runs with SITEPUB_TEST_STORE=file: its pipeline and its pushes then go other ways.
import { join } from 'node:path';
import { createMetrics } from '../../mock/metrics/metrics.ts';
import { createMock, type Mock } from '../../mock/server/create-mock.ts';
import { openKept } from '../../mock/server/kept-start.ts';
import type { MockOptions } from '../../mock/server/mock-options.ts';
import { createShutdown } from '../../mock/server/shutdown.ts';

interface MadeMock extends Mock {
  close(): Promise<void>;
}

/** In a file in this folder, if that is chosen; else in memory. */
export async function makeMock(options: MockOptions, folder: string): Promise<MadeMock> {
  const kept = process.env.SITEPUB_TEST_STORE === 'file' ? await keepIn(folder, options) : undefined;
  const mock = createMock({ ...options, ...(kept && { store: kept.store.main }) });
  const { close } = createShutdown({
    apps: [mock.app],
    services: () => [mock.service],
    endWorlds: mock.worlds.endAll,
    closeStore: async () => kept?.store.close(),
  });
  await kept?.begin(mock.service);
  return { ...mock, close };
}

function keepIn(folder: string, { profile, seed }: MockOptions): ReturnType<typeof openKept> {
  return openKept({ store: `file:${join(folder, 'mock.db')}`, profile, seed }, createMetrics());
}
