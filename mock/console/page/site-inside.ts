import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Schemas } from './api.ts';
import { CauseForm } from './cause-form.ts';
import { exactId, writeExactly } from './exact-json.ts';
import { Detail } from './frames.ts';
import { Badge, Empty, timeOf } from './parts.ts';
import { type Store, useStore } from './store.ts';
import { SubscribeForm } from './subscribe-form.ts';
import { useAnswer } from './use-answer.ts';

type Site = Schemas['SiteInside'];

export function SiteInside({ store, id, users }: { store: Store; id: string; users: string[] }): VNode {
  const { stamp } = useStore(store);
  const { answer, error } = useAnswer('/sites/{siteId}', stamp, { path: { siteId: exactId(id) } });
  return html`<${Detail} title="Site ${id}" back="world" error=${error}>
    ${answer && html`<${Inside} store=${store} site=${answer} users=${users} />`}
  <//>`;
}

function Inside({ store, site, users }: { store: Store; site: Site; users: string[] }): VNode {
  const { totals } = site;
  return html`<p><b>${site.name}</b> <span class="soft">of ${site.tenant}, version ${site.version}</span></p>
    <h3>Subscriptions (${site.subscriptions.length})</h3>
    ${site.subscriptions.length === 0 && html`<${Empty}>None yet.<//>`}
    <ul class="plain">${site.subscriptions.map(
      (one) =>
        html`<li key=${one.id}><code>${one.url}</code> <span class="soft">${one.channel}: ${one.events.join(', ')}</span> <${Badge} tone="plain">${one.has_secret ? 'signed' : 'not signed'}<//></li>`,
    )}</ul>
    <${CauseForm} store=${store} site=${site.id} users=${users} />
    <${SubscribeForm} store=${store} site=${site.id} users=${users} />
    <${List} title="Contents" total=${totals.contents} lines=${site.contents.map(({ id, title, state }) => `${id} ${title} (${state})`)} />
    <${List} title="Comments" total=${totals.comments} lines=${site.comments.map(({ id, author, text }) => `${id} ${author}: ${text}`)} />
    <${List} title="Submissions" total=${totals.submissions} lines=${site.submissions.map(({ id, form, fields }) => `${id} ${form}: ${writeExactly(fields)}`)} />
    <${List} title="Publications" total=${totals.publications} lines=${site.publications.map((one) => `${timeOf(one.started_at)} version ${one.version}, ${one.state}${one.note && `: ${one.note}`}`)} />` as VNode;
}

function List({ title, total, lines }: { title: string; total: number; lines: string[] }): VNode {
  return html`<details><summary>${title} (${total})</summary>
    <ul>${lines.toReversed().map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>
    ${total > lines.length && html`<p class="soft">The newest ${lines.length} are shown.</p>`}</details>` as VNode;
}
