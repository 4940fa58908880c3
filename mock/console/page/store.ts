// What the page knows of the mock, and how that is kept up to date.
import { useEffect, useState } from 'preact/hooks';
import { listen, mock, Refused, type Schemas } from './api.ts';
import { parseExactly } from './exact-json.ts';

export type Overview = Schemas['Overview'];
export type RequestNote = Schemas['RequestNote'];
export type DeliveryNote = Schemas['DeliveryNote'];

export interface State {
  overview: Overview | undefined;
  /** Whether the stream is open. */
  isLive: boolean;
  needsToken: boolean;
  /** By how much the mock's clock is ahead of this machine's, in milliseconds. */
  aheadMs: number;
  /** Counts what has changed: what a view reads by itself it reads again. */
  stamp: number;
  notice: { text: string; isError: boolean } | undefined;
  /** Who calls the service. */
  username: string | undefined;
}

export type Store = ReturnType<typeof createStore>;

const mostRequests = 1000;
const mostDeliveries = 500;
const reconnectMs = 1000;
const quietMs = 700;

export function createStore() {
  let state: State = {
    overview: undefined,
    isLive: false,
    needsToken: false,
    aheadMs: 0,
    stamp: 0,
    notice: undefined,
    username: undefined,
  };
  const listeners = new Set<() => void>();
  const loading = new Set<Schemas['Changes'][]>();
  let reloading: ReturnType<typeof setTimeout> | undefined;

  function set(change: Partial<State>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  async function load(): Promise<void> {
    // What is told meanwhile may be newer than the answer.
    const meanwhile: Schemas['Changes'][] = [];
    loading.add(meanwhile);
    const answer = await mock.GET('/overview').finally(() => loading.delete(meanwhile));
    const overview = meanwhile.reduce(merge, answer);
    set({
      overview,
      needsToken: false,
      stamp: state.stamp + 1,
      aheadMs: Date.parse(overview.clock.now) - Date.now(),
    });
  }

  function take(changes: Schemas['Changes']): void {
    for (const meanwhile of loading) meanwhile.push(changes);
    const { overview } = state;
    if (!overview) return;
    const aheadMs = Date.parse(changes.clock.now) - Date.now();
    set({ overview: merge(overview, changes), aheadMs, stamp: state.stamp + 1 });
    if (!changes.more && !changes.replaced) return;
    // What was left out is read once it is quiet again.
    clearTimeout(reloading);
    reloading = setTimeout(() => void load().catch(report), changes.replaced ? 0 : quietMs);
  }

  function report(error: unknown): void {
    if (error instanceof Refused && error.status === 401) set({ needsToken: true, isLive: false });
    else set({ notice: { text: error instanceof Error ? error.message : String(error), isError: true } });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const reader = await listen(signal);
    await load();
    set({ isLive: true });
    for await (const changes of readChanges(reader)) take(changes);
  }

  /** Goes on for as long as the page is open, also when the mock is started again. */
  async function connect(): Promise<void> {
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    // Browsers keep pages that were left, with their connections, of which they allow six to a mock.
    addEventListener('pagehide', leave);
    try {
      await follow(leaving.signal);
    } catch (error) {
      if (!leaving.signal.aborted) report(error);
    }
    removeEventListener('pagehide', leave);
    set({ isLive: false });
    if (!state.needsToken) setTimeout(() => void connect(), reconnectMs);
  }

  return {
    get: () => state,
    set,
    connect,
    reload: load,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Does something for the user, and says what came of it. */
    async act(work: () => Promise<string>): Promise<boolean> {
      try {
        const text = await work();
        set({ notice: { text, isError: false }, stamp: state.stamp + 1 });
        return true;
      } catch (error) {
        report(error);
        return false;
      }
    },
  };
}

/** The state, each time it changes. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.get());
  useEffect(() => {
    const update = () => setState(store.get());
    // What has changed between drawing and now.
    update();
    return store.subscribe(update);
  }, [store]);
  return state;
}

/** The mock's time. */
export function timeNow({ overview, aheadMs }: State): number {
  return overview?.clock.mode === 'manual' ? Date.parse(overview.clock.now) : Date.now() + aheadMs;
}

async function* readChanges(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Schemas['Changes']> {
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^event: changes\ndata: (.*)$/s.exec(event) ?? [];
      if (data !== undefined) yield parseExactly(data) as Schemas['Changes'];
    }
  }
}

function merge(overview: Overview, changes: Schemas['Changes']): Overview {
  const { clock, requests = [], deliveries = [], inboxes = [] } = changes;
  const last = overview.requests.at(-1)?.id ?? 0;
  const fresh = requests.filter(({ id }) => id > last);
  return {
    ...overview,
    clock,
    requests: fresh.length > 0 ? [...overview.requests, ...fresh].slice(-mostRequests) : overview.requests,
    deliveries: mergeBy(overview.deliveries, deliveries, ({ id }) => id).slice(-mostDeliveries),
    inboxes: mergeBy(overview.inboxes, inboxes, ({ name }) => name),
  };
}

function mergeBy<Entry>(old: Entry[], fresh: Entry[], keyOf: (entry: Entry) => unknown): Entry[] {
  if (fresh.length === 0) return old;
  const entries = new Map(old.map((one) => [keyOf(one), one]));
  for (const one of fresh) entries.set(keyOf(one), one);
  return [...entries.values()];
}
