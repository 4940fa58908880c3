import { useEffect, useRef, useState } from 'preact/hooks';
import { listen, mock, type Schemas } from './api.ts';
import { parseExactly } from './exact-json.ts';

export type RequestNote = Schemas['RequestNote'];
export type DeliveryNote = Schemas['DeliveryNote'];
type Overview = Schemas['Overview'];
type Changes = Schemas['Changes'];

const mostRequests = 1000;
const mostDeliveries = 500;
const reconnectMs = 1000;
const quietMs = 700;

let state = {
  overview: undefined as Overview | undefined,
  /** Whether the event stream is open. */
  isLive: false,
  needsToken: false,
  /** The mock's clock minus this machine's, in milliseconds. */
  aheadMs: 0,
  /** Grows with each change, so that views repeat their own calls. */
  stamp: 0,
  notice: undefined as { text: string; isError: boolean } | undefined,
  /** The user as whom the page calls the service. */
  username: undefined as string | undefined,
};
type State = typeof state;

const listeners = new Set<() => void>();
const loading = new Set<Changes[]>();
let reloading: ReturnType<typeof setTimeout> | undefined;

export function set(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

export function useStore(): State {
  const [shown, setShown] = useState(state);
  useEffect(() => {
    const update = () => setShown(state);
    // The state may have changed between the first render and this effect.
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return shown;
}

/** Views are rendered only after the first overview; before it, this throws an Error. */
export function useOverview(): Overview {
  const { overview } = useStore();
  if (!overview) throw new Error('a view was rendered before the overview was loaded');
  return overview;
}

/** The mock's time, in milliseconds since 1970. */
export function timeNow(): number {
  const { overview, aheadMs } = state;
  return overview?.clock.mode === 'manual' ? Date.parse(overview.clock.now) : Date.now() + aheadMs;
}

/** Runs an action of the user, reloads, and shows the returned text or the error as notice. */
export async function act(work: () => Promise<string | undefined>): Promise<void> {
  try {
    const text = await work();
    await load();
    if (text !== undefined) set({ notice: { text, isError: false } });
  } catch (error) {
    report(error);
  }
}

/** Reconnects for as long as the page is open, also after a restart of the mock. */
export async function connect(): Promise<void> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  // A page in the back-forward cache would occupy one of the six connections that browsers allow per host.
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

async function follow(signal: AbortSignal): Promise<void> {
  const reader = await listen(signal);
  await load();
  set({ isLive: true });
  for await (const changes of readChanges(reader)) take(changes);
}

async function load(): Promise<void> {
  // Changes that arrive during the call may be newer than its answer.
  const meanwhile: Changes[] = [];
  loading.add(meanwhile);
  const answer = await mock.GET('/overview').finally(() => loading.delete(meanwhile));
  show(meanwhile.reduce(merge, answer));
}

function take(changes: Changes): void {
  for (const meanwhile of loading) meanwhile.push(changes);
  if (!state.overview) return;
  show(merge(state.overview, changes));
  if (!changes.more && !changes.replaced) return;
  // `more` says that changes were left out; they are loaded after a quiet period.
  clearTimeout(reloading);
  reloading = setTimeout(() => void load().catch(report), changes.replaced ? 0 : quietMs);
}

function show(overview: Overview): void {
  const aheadMs = Date.parse(overview.clock.now) - Date.now();
  set({ overview, aheadMs, needsToken: false, stamp: state.stamp + 1 });
}

function report(error: unknown): void {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  if (cause === 401) set({ needsToken: true, isLive: false });
  else set({ notice: { text: message, isError: true } });
}

async function* readChanges(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Changes> {
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^event: changes\ndata: (.*)$/s.exec(event) ?? [];
      if (data !== undefined) yield parseExactly(data) as Changes;
    }
  }
}

function merge(overview: Overview, { clock, requests, deliveries, inboxes }: Changes): Overview {
  return {
    ...overview,
    clock,
    requests: mergeBy('id', overview.requests, requests).slice(-mostRequests),
    deliveries: mergeBy('id', overview.deliveries, deliveries).slice(-mostDeliveries),
    inboxes: mergeBy('name', overview.inboxes, inboxes),
  };
}

function mergeBy<Entry>(key: keyof Entry, old: Entry[], fresh: Entry[] = []): Entry[] {
  const entries = new Map(old.map((one) => [one[key], one]));
  for (const one of fresh) entries.set(one[key], one);
  return [...entries.values()];
}

const pauseMs = 1000;

interface Read<Answer> {
  answer?: Answer;
  error?: string;
}

/** Repeats the call when `stamp` changes, at most once a second; a component needs another key for another call. */
export function useAnswer<Answer>(call: () => Promise<Answer>, stamp: unknown): Read<Answer> {
  const [read, setRead] = useState<Read<Answer>>({});
  const calledAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const ask = async () => {
      calledAt.current = performance.now();
      try {
        setRead({ answer: await call() });
      } catch (error) {
        setRead({ error: error instanceof Error ? error.message : String(error) });
      }
    };
    const waitMs = Math.max(0, calledAt.current + pauseMs - performance.now());
    const timer = setTimeout(() => void ask(), waitMs);
    return () => clearTimeout(timer);
  }, [stamp]);
  return read;
}
