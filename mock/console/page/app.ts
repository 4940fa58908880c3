// The URL fragment contains the view and its selection, so that Back and reload work.
import { html } from 'htm/preact';
import { type ComponentChildren, render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { mock, rememberToken, type Schemas } from './api.ts';
import { DeliveriesView } from './deliveries-view.ts';
import { Form, textOf } from './forms.ts';
import type { ViewProps } from './frames.ts';
import { InboxesView } from './inboxes-view.ts';
import { counted } from './parts.ts';
import { RequestsView } from './requests-view.ts';
import { SteeringView } from './steering-view.ts';
import { connect, set, timeNow, useOverview, useStore } from './store.ts';
import { TenantsView } from './tenants-view.ts';
import { worldNameIn } from './world-name.ts';

const worldName = worldNameIn(new URL('.', document.baseURI).pathname);

const views: Readonly<Record<string, { title: string; view: (props: ViewProps) => VNode }>> = {
  requests: { title: 'Requests', view: RequestsView },
  deliveries: { title: 'Deliveries', view: DeliveriesView },
  inboxes: { title: 'Inboxes', view: InboxesView },
  world: { title: 'World', view: TenantsView },
  steering: { title: 'Clock and faults', view: SteeringView },
};

function App() {
  const { overview, needsToken } = useStore();
  const { name, chosen } = usePlace();
  const { title, view: View } = views[name] ?? { title: '', view: RequestsView };
  useEffect(() => {
    const world = worldName === undefined ? [] : [`world ${worldName}`];
    document.title = [title, ...world, 'sitepub console'].join(', ');
  }, [title]);
  if (needsToken) return html`<${Frame} name=""><${TokenForm} /><//>`;
  return html`<${Frame} name=${name}>
    <h1>${title}</h1>
    <${Notice} />
    ${overview ? html`<${View} key=${name} chosen=${chosen} />` : html`<p>Loading…</p>`}
  <//>`;
}

function Frame({ name, children }: { name: string; children: ComponentChildren }) {
  const { overview, isLive } = useStore();
  const countOf: Readonly<Record<string, number | undefined>> = {
    requests: overview?.requests.length,
    deliveries: overview?.deliveries.length,
    inboxes: overview?.inboxes.length,
  };
  return html`<header>
    <p class="brand">sitepub <span class="soft">console</span></p>
    <nav aria-label="Views">${Object.entries(views).map(
      ([id, { title }]) =>
        html`<a key=${id} href="#${id}" aria-current=${id === name ? 'page' : undefined}>${title}${countOf[id] ? html` <span class="count">${countOf[id]}</span>` : ''}</a>`,
    )}</nav>
    <p class="state"><span class=${isLive ? 'good' : 'warn'}>${isLive ? '● live' : '○ not connected'}</span>
    ${worldName !== undefined && html` <span>world ${worldName}</span>`}
    ${overview && html` <span>profile ${overview.profile}</span> <${Clock} /> <${StoreStatus} />`}</p>
  </header><main>${children}</main>`;
}

function Clock() {
  const { clock } = useOverview();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const now = new Date(timeNow()).toISOString();
  return html`<time datetime=${now}>${now.slice(0, 10)} ${now.slice(11, 19)} UTC${clock.mode === 'manual' ? ', stopped' : ''}</time>`;
}

function Notice() {
  const { notice } = useStore();
  const close = html`<button type="button" class="small" onClick=${() => set({ notice: undefined })}>Dismiss</button>`;
  return html`<div role="status" class="notice ${notice?.isError ? 'bad' : ''}" hidden=${!notice}>${notice && html`<span>${notice.text}</span> ${close}`}</div>`;
}

function TokenForm() {
  const open = async (values: FormData) => {
    rememberToken(textOf(values, 'token'));
    set({ needsToken: false });
    void connect();
    return undefined;
  };
  return html`<h1>Control token</h1>
    <${Form} label="Control token" work=${open}>
      <p>This mock needs a control token. It printed the token when it started. The page remembers it until you close this tab.</p>
      <label>Control token <input name="token" type="password" autocomplete="off" required /></label>
      <button type="submit">Open the console</button>
    <//>`;
}

function usePlace(): { name: string; chosen: string | undefined } {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  const [, name = '', chosen] = /^#([a-z]+)(?:\/(.*))?$/.exec(hash) ?? [];
  return { name: Object.hasOwn(views, name) ? name : 'requests', chosen: decode(chosen) };
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

const place = document.getElementById('console');
if (place) {
  place.textContent = '';
  render(html`<${App} />`, place);
  void connect();
}

type StoreView = NonNullable<Schemas['Health']['store']>;

const everyMs = 3000;

/** Empty for a world in memory; never unmounted, so its timer needs no cleanup. */
function StoreStatus() {
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
    <span class=${oldest >= 10 ? 'warn' : ''}>${oldest < 1 ? 'no push is due' : `oldest due push: ${Math.round(oldest)} s ago`}</span>`;
}

function describe({ engine, problem, replicas, worlds }: StoreView): string {
  if (problem !== undefined) return `${engine} cannot persist changes: ${problem}`;
  const parts = [
    engine,
    replicas !== undefined && counted(replicas, 'mock'),
    worlds !== undefined && counted(worlds, 'world'),
  ];
  return parts.filter(Boolean).join(', ');
}
