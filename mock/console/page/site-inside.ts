import { html } from 'htm/preact';
import { channels, eventNames } from '../../../openapi/event-names.ts';
import { callAs, mock, type Schemas } from './api.ts';
import { exactId, writeExactly } from './exact-json.ts';
import { Act, Choice, Form, jsonOf, textOf } from './forms.ts';
import { Detail } from './frames.ts';
import { Badge, timeOf } from './parts.ts';
import { useOverview, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

export function SiteInside({ id, users }: { id: string; users: string[] }) {
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
    ${total > lines.length && html`<p class="soft">The newest ${lines.length} are shown.</p>`}</details>`;
}

const events = [
  ...eventNames.filter((name) => name.startsWith('publish.')),
  ...eventNames.filter((name) => !name.startsWith('publish.')),
];

interface FormProps {
  site: number;
  /** The logged-in user if of this tenant, else the tenant's first user with a known password. */
  user: string | undefined;
}

function CauseForm({ site, user }: FormProps) {
  const { operations } = useOverview();
  const cause = async (values: FormData) => {
    const event = textOf(values, 'event') as Schemas['EventName'];
    const data = jsonOf(values, 'data') as Record<string, unknown> | undefined;
    const { deliveries } = await mock.POST('/events', { body: { event, site_id: site, data } });
    if (deliveries.length === 0) return `${event} was caused; nobody on this site has subscribed to it.`;
    return `${event} was caused; ${deliveries.length === 1 ? 'one push is' : `${deliveries.length} pushes are`} under way.`;
  };
  const publish = async (username: string) => {
    await callAs(username, 'publishSite', { siteID: site, note: 'from the console' });
    return `${username} published the site.`;
  };
  return html`<${Form} label="Cause an event" work=${cause}>
    <${Choice} label="Event" name="event" options=${events} />
    <details><summary>Data of my own</summary><label>JSON, sent as <code>data</code>; empty for sample values <textarea name="data" rows="4" spellcheck="false"></textarea></label></details>
    <p class="buttons"><button type="submit">Cause this event</button>
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
    return `The inbox ${name} is subscribed to site ${site}, by ${user}.`;
  };
  return html`<${Form} label="Subscribe an inbox" work=${subscribe}>
    <h3>Subscribe an inbox</h3>
    <div class="fields">
      <label>Name of the inbox <input name="inbox" value="shop" required maxlength="100" /></label>
      <${Choice} label="Channel" name="channel" options=${channels} />
      <label>Signing secret <input name="secret" value="console-signing-secret" autocomplete="off" /></label>
    </div>
    <fieldset><legend>Events</legend>${events.map((name) => html`<label key=${name} class="check"><input type="checkbox" name="events" value=${name} checked /> ${name}</label>`)}</fieldset>
    <button type="submit" disabled=${user === ''}>Subscribe</button>
  <//>`;
}
