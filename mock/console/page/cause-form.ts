import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { readJson } from './forced-answers.ts';
import { Form, textOf } from './parts.ts';
import type { Store } from './store.ts';

export const eventNames: readonly Schemas['EventName'][] = [
  'publish.complete',
  'publish.failed',
  'content.publish',
  'content.update',
  'content.delete',
  'form.submit',
  'comment.created',
];

/** Causes an event of a site, or really publishes it. */
export function CauseForm({ store, site, users }: { store: Store; site: number; users: string[] }): VNode {
  const cause = (values: FormData) =>
    void store.act(async () => {
      const data = textOf(values, 'data');
      const event = textOf(values, 'event') as Schemas['EventName'];
      const body = {
        event,
        site_id: site,
        ...(data !== '' && { data: readJson(data) as Record<string, unknown> }),
      };
      const { deliveries } = await mock.POST('/events', { body });
      if (deliveries.length === 0) return `${event} was caused; nobody on this site has subscribed to it.`;
      return `${event} was caused; ${deliveries.length === 1 ? 'one push is' : `${deliveries.length} pushes are`} under way.`;
    });
  const publish = () =>
    void store.act(async () => {
      const username = store.get().username ?? users[0];
      const body = {
        operation: 'publishSite',
        username,
        values: { siteID: site, note: 'from the console' },
      };
      const { status, code } = await mock.POST('/calls', { body });
      if (code !== 0) throw new Error(`the service refused to publish, with status ${status}, code ${code}`);
      return `${username} published the site.`;
    });
  const canPublish = store.get().overview?.operations.includes('publishSite') && users.length > 0;
  return html`<${Form} label="Cause an event" onSend=${cause}>
    <label>Event <select name="event">${eventNames.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>
    <details><summary>Data of my own</summary><label>JSON, sent as <code>data</code>; empty for sample values <textarea name="data" rows="4" spellcheck="false"></textarea></label></details>
    <p class="buttons"><button type="submit">Cause this event</button>
    ${canPublish && html`<button type="button" onClick=${publish}>Publish the site</button>`}</p>
  <//>`;
}
