import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { eventNames } from './cause-form.ts';
import { writeExactly } from './exact-json.ts';
import { Form, textOf } from './parts.ts';
import type { Store } from './store.ts';

/** Subscribes an inbox to a site, by a call of the service as one of its users. */
export function SubscribeForm({
  store,
  site,
  users,
}: {
  store: Store;
  site: number;
  users: string[];
}): VNode {
  const send = (values: FormData) => void store.act(() => subscribe(store, { values, site, users }));
  return html`<${Form} label="Subscribe an inbox" onSend=${send}>
    <h3>Subscribe an inbox</h3>
    <div class="fields">
      <label>Name of the inbox <input name="inbox" value="shop" required maxlength="100" /></label>
      <label>Channel <select name="channel">${['custom', 'wecom', 'dingtalk', 'feishu'].map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
      <label>Signing secret <input name="secret" value="console-signing-secret" autocomplete="off" /></label>
    </div>
    <fieldset><legend>Events</legend>${eventNames.map((name) => html`<label key=${name} class="check"><input type="checkbox" name="events" value=${name} checked /> ${name}</label>`)}</fieldset>
    <button type="submit" disabled=${users.length === 0}>Subscribe</button>
  <//>`;
}

interface Wanted {
  values: FormData;
  site: number;
  users: string[];
}

async function subscribe(store: Store, { values, site, users }: Wanted): Promise<string> {
  const channel = textOf(values, 'channel');
  const secret = textOf(values, 'secret');
  const name = textOf(values, 'inbox');
  const kind = (channel === 'custom' ? 'plain' : channel) as Schemas['InboxKind'];
  const settings = { kind, ...(secret !== '' && { secret }) };
  const inbox = await mock.PUT('/inbox/{name}', { path: { name }, body: settings });
  const { username = users[0] } = store.get();
  const wanted = {
    siteID: site,
    url: inbox.url,
    events: values.getAll('events'),
    channel,
    ...(secret !== '' && { secret }),
  };
  const user = username !== undefined && users.includes(username) ? username : users[0];
  const answer = await mock.POST('/calls', {
    body: { operation: 'createSubscription', username: user, values: wanted },
  });
  if (answer.code !== 0)
    throw new Error(`the service refused it with status ${answer.status}: ${writeExactly(answer.answer)}`);
  await store.reload();
  return `The inbox ${name} is subscribed to site ${site}, by ${user}.`;
}
