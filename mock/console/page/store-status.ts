// What keeps the world, who shares it, and whether pushes wait: asked now and then, since others change it.
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { mock, type Schemas } from './api.ts';

type StoreView = NonNullable<Schemas['Health']['store']>;

const everyMs = 3000;

/** Nothing of a world in memory. */
export function StoreStatus(): VNode | null {
  const [store, setStore] = useState<StoreView>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const ask = async () => {
      // While the mock does not answer, the page says so elsewhere.
      const health = await mock.GET('/health').catch(() => undefined);
      if (isLeft || (health && !health.store)) return;
      if (health) setStore(health.store);
      timer = setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, []);
  if (!store) return null;
  const { problem, oldest_due_seconds: oldest } = store;
  return html`<span class="store ${problem === undefined ? '' : 'bad'}" title=${problem}>${describe(store)}</span>
    <span class=${oldest >= 10 ? 'warn' : ''}>${oldest < 1 ? 'no push waits' : `oldest due push ${Math.round(oldest)} s`}</span>` as VNode;
}

function describe({ engine, problem, replicas, worlds }: StoreView): string {
  if (problem !== undefined) return `${engine} keeps nothing now: ${problem}`;
  return [engine, counted(replicas, 'mock'), counted(worlds, 'world')].filter(Boolean).join(', ');
}

function counted(count: number | undefined, what: string): string {
  return count === undefined ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
