import { html } from 'htm/preact';
import { channels, eventNames } from '../../../openapi/event-names.ts';
import { callAs, mock, type Schemas } from './api.ts';
import { exactId, parseExactly, writeExactly } from './exact-json.ts';
import { Act, Choice, Form, jsonOf, textOf } from './forms.ts';
import { Detail, Row, Split, type ViewProps } from './frames.ts';
import { Badge, Copy, counted, timeOf } from './parts.ts';
import { act, set, useAnswer, useOverview, useStore } from './store.ts';

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
    return `${username} is logged in. The console makes its calls as this user.`;
  };
  return html`<article class="card" aria-label=${name}><h2>${name}</h2>
    <h3>Users</h3><ul class="plain">${users.map(
      ({ username, password }) => html`<li key=${username}><b>${username}</b> <${Secret} value=${password} />
        <${Act} class="small" disabled=${password === undefined} aria-label="Log in as ${username}" work=${() => logIn(username)}>Log in<//>
        ${caller === username && html` <${Badge} tone="good">logged in<//>`}</li>`,
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
      return `${file.name} was loaded; the world has ${counted(sites, 'site')}.`;
    });
  };
  return html`<div class="card buttons" role="group" aria-label="Whole world">
    <${Act} work=${save}>Save the world<//>
    <label class="file">Load a world <input type="file" accept="application/json,.json" onChange=${load} /></label>
    <${Act} work=${() => mock.POST('/reset')} said="The world was reset to its seed.">Reset to the seed<//>
  </div>`;
}

async function save(): Promise<string> {
  download('world.json', writeExactly(await mock.GET('/world')));
  return 'The world was saved as world.json.';
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function SiteInside({ id, users }: { id: string; users: string[] }) {
  const path = { siteId: exactId(id) };
  const { answer, error } = useAnswer(() => mock.GET('/sites/{siteId}', { path }), useStore().stamp);
  return html`<${Detail} title="Site ${id}" back="world" error=${error}>
    ${answer && html`<${Inside} site=${answer} users=${users} />`}
  <//>`;
}

function Inside({ site, users }: { site: Schemas['SiteInside']; users: string[] }) {
  const { id, totals, subscriptions } = site;
  const { username = '' } = useStore();
  const user = users.includes(username) ? username : users[0];
  return html`<p><b>${site.name}</b> <span class="soft">of ${site.tenant}, version ${site.version}</span></p>
    <h3>Subscriptions (${subscriptions.length})</h3>
    ${subscriptions.length === 0 && html`<p class="empty">None yet.</p>`}
    <ul class="plain">${subscriptions.map(
      (one) =>
        html`<li key=${one.id}><code>${one.url}</code> <span class="soft">${one.channel}: ${one.events.join(', ')}</span> <${Badge} tone="plain">${one.has_secret ? 'signed' : 'not signed'}<//></li>`,
    )}</ul>
    <${CauseForm} site=${id} user=${user} />
    <${SubscribeForm} site=${id} user=${user} />
    <${List} title="Contents" total=${totals.contents} lines=${site.contents.map((one) => `${one.id} ${one.title} (${one.state})`)} />
    <${List} title="Comments" total=${totals.comments} lines=${site.comments.map((one) => `${one.id} ${one.author}: ${one.text}`)} />
    <${List} title="Submissions" total=${totals.submissions} lines=${site.submissions.map((one) => `${one.id} ${one.form}: ${writeExactly(one.fields)}`)} />
    <${List} title="Publications" total=${totals.publications} lines=${site.publications.map((one) => `${timeOf(one.started_at)} version ${one.version}, ${one.state}${one.note && `: ${one.note}`}`)} />`;
}

function List({ title, total, lines }: { title: string; total: number; lines: string[] }) {
  return html`<details><summary>${title} (${total})</summary>
    <ul>${lines.toReversed().map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>
    ${total > lines.length && html`<p class="soft">Only the newest ${lines.length} are listed.</p>`}</details>`;
}

const events = [
  ...eventNames.filter((name) => name.startsWith('publish.')),
  ...eventNames.filter((name) => !name.startsWith('publish.')),
];

interface FormProps {
  site: number;
  /** The logged-in user if it belongs to this tenant, otherwise the first user with a known password. */
  user: string | undefined;
}

function CauseForm({ site, user }: FormProps) {
  const { operations } = useOverview();
  const cause = async (values: FormData) => {
    const event = textOf(values, 'event') as Schemas['EventName'];
    const data = jsonOf(values, 'data') as Record<string, unknown> | undefined;
    const { deliveries } = await mock.POST('/events', { body: { event, site_id: site, data } });
    if (deliveries.length === 0) return `${event} was triggered. This site has no subscription to it.`;
    return `${event} was triggered. The mock sends ${counted(deliveries.length, 'push', 'pushes')}.`;
  };
  const publish = async (username: string) => {
    await callAs(username, 'publishSite', { siteID: site, note: 'from the console' });
    return `${username} published the site.`;
  };
  return html`<${Form} label="Trigger an event" work=${cause}>
    <${Choice} label="Event" name="event" options=${events} />
    <details><summary>Custom data</summary><label>JSON for <code>data</code>. Leave it empty for the data of the site. <textarea name="data" rows="4" spellcheck="false"></textarea></label></details>
    <p class="buttons"><button type="submit">Trigger this event</button>
    ${operations.includes('publishSite') && user && html`<${Act} work=${() => publish(user)}>Publish the site<//>`}</p>
  <//>`;
}

function SubscribeForm({ site, user = '' }: FormProps) {
  const subscribe = async (values: FormData) => {
    const name = textOf(values, 'inbox');
    const channel = textOf(values, 'channel');
    const secret = textOf(values, 'secret') || undefined;
    const kind = (channel === 'custom' ? 'plain' : channel) as Schemas['InboxKind'];
    const { url } = await mock.PUT('/inbox/{name}', { path: { name }, body: { kind, secret } });
    const wanted = { siteID: site, url, events: values.getAll('events'), channel, secret };
    await callAs(user, 'createSubscription', wanted);
    return `${user} subscribed the inbox ${name} to site ${site}.`;
  };
  return html`<${Form} label="Subscribe an inbox" work=${subscribe}>
    <h3>Subscribe an inbox</h3>
    <div class="fields">
      <label>Inbox name <input name="inbox" value="shop" required maxlength="100" /></label>
      <${Choice} label="Channel" name="channel" options=${channels} />
      <label>Signing secret <input name="secret" value="console-signing-secret" autocomplete="off" /></label>
    </div>
    <fieldset><legend>Events</legend>${events.map((name) => html`<label key=${name} class="check"><input type="checkbox" name="events" value=${name} checked /> ${name}</label>`)}</fieldset>
    <button type="submit" disabled=${user === ''}>Subscribe</button>
  <//>`;
}
