import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { parseExactly, writeExactly } from './exact-json.ts';
import { Row, Split } from './frames.ts';
import { Badge, Copy, Problem, type ViewProps } from './parts.ts';
import { SiteInside } from './site-inside.ts';
import { type State, type Store, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Tenant = Schemas['Tenant'];

export function TenantsView({ store, chosen }: ViewProps): VNode {
  const state = useStore(store);
  const { answer, error } = useAnswer('/tenants', state.stamp);
  const tenants = answer?.tenants ?? [];
  const detail =
    chosen !== undefined &&
    html`<${SiteInside} key=${chosen} store=${store} id=${chosen} users=${usersOf(tenants, chosen)} />`;
  return html`<${WorldFile} store=${store} />
  <${Split} label="Tenants" detail=${detail}>
    <${Problem} text=${error} />
    ${tenants.map((one) => html`<${TenantCard} key=${one.id} tenant=${one} store=${store} state=${state} chosen=${chosen} />`)}
  <//>` as VNode;
}

/** The users of the tenant that has a site. */
function usersOf(tenants: readonly Tenant[], site: string): string[] {
  const owner = tenants.find(({ sites }) => sites.some(({ id }) => String(id) === site));
  return (owner?.users ?? [])
    .filter(({ password }) => password !== undefined)
    .map(({ username }) => username);
}

interface CardProps {
  tenant: Tenant;
  store: Store;
  state: State;
  chosen: string | undefined;
}

function TenantCard({ tenant, store, state, chosen }: CardProps): VNode {
  const { name, users, api_keys: keys, sites } = tenant;
  const logIn = (username: string) =>
    void store.act(async () => {
      const { code, status } = await mock.POST('/calls', { body: { operation: 'login', username } });
      if (code !== 0) throw new Error(`the login was refused with status ${status}, code ${code}`);
      store.set({ username });
      return `${username} is logged in; calls from here are made as this user.`;
    });
  return html`<article class="card" aria-label=${name}><h2>${name}</h2>
    <h3>Users</h3><ul class="plain">${users.map(
      ({ username, password }) => html`<li key=${username}><b>${username}</b> <${Secret} value=${password} />
        <button type="button" class="small" disabled=${password === undefined} aria-label="Log in as ${username}" onClick=${() => logIn(username)}>Log in</button>
        ${state.username === username && html` <${Badge} tone="good">in use<//>`}</li>`,
    )}</ul>
    ${keys.length > 0 && html`<h3>API keys</h3><ul class="plain">${keys.map((one) => html`<li key=${one.id}>${one.name} <${Secret} value=${one.key} /></li>`)}</ul>`}
    <h3>Sites</h3><ol class="rows">${sites.map(
      ({ id, name: site, version, subscriptions: count }) =>
        html`<${Row} key=${id} place="world/${id}" kind="site" isChosen=${String(id) === chosen}>
        <b>${site}</b> <span class="soft">site ${id}, version ${version}, ${count} subscription${count === 1 ? '' : 's'}</span><//>`,
    )}</ol>
  </article>` as VNode;
}

/** The mock keeps digests alone; what the seed says is known. */
function Secret({ value }: { value: string | undefined }): VNode {
  return value === undefined
    ? html`<span class="soft">unknown</span>`
    : html`<code>${value}</code> <${Copy} text=${value} />`;
}

function WorldFile({ store }: { store: Store }): VNode {
  const save = () =>
    void store.act(async () => {
      download('world.json', writeExactly(await mock.GET('/world')));
      return 'The world was saved as world.json.';
    });
  const load = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    void store.act(async () => {
      const body = parseExactly(await file.text()) as Schemas['World'];
      const summary = await mock.PUT('/world', { body });
      input.value = '';
      return `The world of ${file.name} is in place, with ${summary.sites} sites.`;
    });
  };
  const reset = () =>
    void store.act(async () => {
      await mock.POST('/reset');
      return 'The world is as it was at the beginning.';
    });
  return html`<div class="card buttons" role="group" aria-label="The world as a whole">
    <button type="button" onClick=${save}>Save the world</button>
    <label class="file">Load a world <input type="file" accept="application/json,.json" onChange=${load} /></label>
    <button type="button" onClick=${reset}>Reset to the beginning</button>
  </div>`;
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
