// Polls the store, which other processes change.
import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { mock, type Schemas } from './api.ts';
import { counted } from './parts.ts';

type StoreView = NonNullable<Schemas['Health']['store']>;

const everyMs = 3000;

/** Empty for a world in memory; never unmounted, so its timer needs no cleanup. */
export function StoreStatus() {
  const [store, setStore] = useState<StoreView>();
  useEffect(() => {
    const ask = async () => {
      // The frame already shows that the mock does not answer.
      const health = await mock.GET('/health').catch(() => undefined);
      if (health) setStore(health.store);
      if (!health || health.store) setTimeout(() => void ask(), everyMs);
    };
    void ask();
  }, []);
  if (!store) return null;
  const { problem, oldest_due_seconds: oldest } = store;
  return html`<span class="store ${problem === undefined ? '' : 'bad'}" title=${problem}>${describe(store)}</span>
    <span class=${oldest >= 10 ? 'warn' : ''}>${oldest < 1 ? 'no push waits' : `oldest due push ${Math.round(oldest)} s`}</span>`;
}

function describe({ engine, problem, replicas, worlds }: StoreView): string {
  if (problem !== undefined) return `${engine} keeps nothing now: ${problem}`;
  const parts = [
    engine,
    replicas !== undefined && counted(replicas, 'mock'),
    worlds !== undefined && counted(worlds, 'world'),
  ];
  return parts.filter(Boolean).join(', ');
}
