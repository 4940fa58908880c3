import { html } from 'htm/preact';
import { callAs, mock, type Schemas } from './api.ts';
import { parseExactly, writeExactly } from './exact-json.ts';
import { Act } from './forms.ts';
import { Row, Split, type ViewProps } from './frames.ts';
import { Badge, Copy, counted } from './parts.ts';
import { SiteInside } from './site-inside.ts';
import { act, set, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Tenant = Schemas['Tenant'];

export function TenantsView({ chosen }: ViewProps) {
  const { answer, error } = useAnswer(() => mock.GET('/tenants'), useStore().stamp);
  const tenants = answer?.tenants ?? [];
  const detail =
    chosen !== undefined &&
    html`<${SiteInside} key=${chosen} id=${chosen} users=${usersOf(tenants, chosen)} />`;
  return html`<${WorldFile} />
  <${Split} label="Tenants" detail=${detail}>
    ${error && html`<p class="bad">${error}</p>`}
    ${tenants.map((one) => html`<${TenantCard} key=${one.id} tenant=${one} />`)}
  <//>`;
}

function usersOf(tenants: readonly Tenant[], site: string): string[] {
  const owner = tenants.find(({ sites }) => sites.some(({ id }) => String(id) === site));
  return (owner?.users ?? [])
    .filter(({ password }) => password !== undefined)
    .map(({ username }) => username);
}

function TenantCard({ tenant }: { tenant: Tenant }) {
  const { name, users, api_keys: keys, sites } = tenant;
  const { username: caller } = useStore();
  const logIn = async (username: string) => {
    await callAs(username, 'login');
    set({ username });
    return `${username} is logged in; calls from here are made as this user.`;
  };
  return html`<article class="card" aria-label=${name}><h2>${name}</h2>
    <h3>Users</h3><ul class="plain">${users.map(
      ({ username, password }) => html`<li key=${username}><b>${username}</b> <${Secret} value=${password} />
        <${Act} class="small" disabled=${password === undefined} aria-label="Log in as ${username}" work=${() => logIn(username)}>Log in<//>
        ${caller === username && html` <${Badge} tone="good">in use<//>`}</li>`,
    )}</ul>
    ${keys.length > 0 && html`<h3>API keys</h3><ul class="plain">${keys.map((one) => html`<li key=${one.id}>${one.name} <${Secret} value=${one.key} /></li>`)}</ul>`}
    <h3>Sites</h3><ol class="rows">${sites.map(
      ({ id, name: site, version, subscriptions }) =>
        html`<${Row} key=${id} place="world/${id}" kind="site">
        <b>${site}</b> <span class="soft">site ${id}, version ${version}, ${counted(subscriptions, 'subscription')}</span><//>`,
    )}</ol>
  </article>`;
}

/** The mock stores only digests, so it knows only secrets from its seed. */
function Secret({ value }: { value: string | undefined }) {
  return value === undefined
    ? html`<span class="soft">unknown</span>`
    : html`<code>${value}</code> <${Copy} text=${value} />`;
}

function WorldFile() {
  const load = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    void act(async () => {
      const body = parseExactly(await file.text()) as Schemas['World'];
      const { sites } = await mock.PUT('/world', { body });
      input.value = '';
      return `The world of ${file.name} is in place, with ${sites} sites.`;
    });
  };
  return html`<div class="card buttons" role="group" aria-label="The world as a whole">
    <${Act} work=${save}>Save the world<//>
    <label class="file">Load a world <input type="file" accept="application/json,.json" onChange=${load} /></label>
    <${Act} work=${reset}>Reset to the beginning<//>
  </div>`;
}

async function save(): Promise<string> {
  download('world.json', writeExactly(await mock.GET('/world')));
  return 'The world was saved as world.json.';
}

async function reset(): Promise<string> {
  await mock.POST('/reset');
  return 'The world is as it was at the beginning.';
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
