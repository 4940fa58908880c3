import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { readJson } from './forced-answers.ts';
import { Detail, Row, Split } from './frames.ts';
import { Badge, Body, Copy, Empty, Form, Headers, textOf, timeOf, type ViewProps } from './parts.ts';
import { type Store, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

type InboxNote = Schemas['InboxNote'];
type Message = Schemas['Message'];

const mostMessages = 50;

export function InboxesView({ store, chosen }: ViewProps): VNode {
  const { overview } = useStore(store);
  const all = overview?.inboxes ?? [];
  const note = all.find(({ name }) => name === chosen);
  const detail =
    chosen !== undefined && html`<${Inbox} key=${chosen} store=${store} name=${chosen} note=${note} />`;
  return html`<${Split} label="Built-in webhook receivers" detail=${detail}>
    ${all.length === 0 && html`<${Empty}>No inbox yet. One comes into being when it is subscribed, under <a href="#world">World</a>, or configured.<//>`}
    <ol class="rows">${all.map((one) => html`<${InboxRow} key=${one.name} note=${one} isChosen=${one === note} />`)}</ol>
  <//>` as VNode;
}

function InboxRow({ note, isChosen }: { note: InboxNote; isChosen: boolean }): VNode {
  return html`<${Row} place="inboxes/${encodeURIComponent(note.name)}" kind="inbox" isChosen=${isChosen}>
    <b>${note.name}</b> <span class="soft">${note.kind}</span> <${Badge} tone="plain">${note.received} received<//>
    ${note.respond > 0 && html` <${Badge} tone="warn">${note.respond} prepared<//>`}
    <span class="path soft">${note.url}</span>
  <//>` as VNode;
}

function Inbox({ store, name, note }: { store: Store; name: string; note: InboxNote | undefined }): VNode {
  const { stamp } = useStore(store);
  const { answer, error } = useAnswer('/inbox/{name}/messages', stamp, { path: { name } });
  const messages = (answer?.messages ?? []).slice(-mostMessages).reverse();
  return html`<${Detail} title="Inbox ${name}" back="inboxes" error=${error}>
    ${note && html`<p><code>${note.url}</code> <${Copy} text=${note.url} /></p>`}
    <${Script} store=${store} name=${name} waiting=${note?.respond ?? 0} />
    <h3>Messages</h3>
    ${messages.length === 0 && html`<${Empty}>Nothing came yet.<//>`}
    <ol class="messages">${messages.map((one) => html`<${Shown} key=${one.id} message=${one} kind=${note?.kind ?? 'plain'} />`)}</ol>
  <//>` as VNode;
}

/** What the next messages are answered. */
function Script({ store, name, waiting }: { store: Store; name: string; waiting: number }): VNode {
  const tell = (respond: Schemas['InboxStep'][]) =>
    mock.PUT('/inbox/{name}', { path: { name }, body: { respond } });
  const prepare = (respond: Schemas['InboxStep'][], text: string) =>
    void store.act(async () => {
      await tell(respond);
      await store.reload();
      return text;
    });
  const sendOwn = (values: FormData) =>
    void store.act(async () => {
      const given = readJson(textOf(values, 'respond'));
      const respond = (Array.isArray(given) ? given : [given]) as Schemas['InboxStep'][];
      await tell(respond);
      await store.reload();
      return `The next ${respond.length} messages are answered so.`;
    });
  return html`<div class="buttons" role="group" aria-label="Next answers">
      <button type="button" onClick=${() => prepare([500], 'The next message is answered 500.')}>Fail once</button>
      <button type="button" onClick=${() => prepare([500, 500, 500, 500], 'The next four messages are answered 500.')}>Fail four times</button>
      <button type="button" onClick=${() => prepare(['timeout'], 'The next message gets no answer.')}>No answer once</button>
      <button type="button" disabled=${waiting === 0} onClick=${() => prepare([], 'Every message is accepted again.')}>Accept all</button>
    </div>
    <details><summary>Other answers (${waiting} prepared)</summary><${Form} label="Next answers" onSend=${sendOwn}>
      <label>JSON list of statuses, "timeout", "reset", or { status, headers, body } <textarea name="respond" rows="3" spellcheck="false" required>[500, "timeout", {"status": 302, "headers": {"location": "/"}}]</textarea></label>
      <button type="submit">Prepare these</button><//></details>` as VNode;
}

function Shown({ message, kind }: { message: Message; kind: string }): VNode {
  const { id, at, method, path, verified, answer, headers, body, body_base64: bytes } = message;
  return html`<li class="message"><p><b>Message ${id}</b> <span class="soft">${timeOf(at)} ${method} ${path}</span>
    ${verified === undefined ? html` <${Badge} tone="plain">not checked<//>` : html` <${Badge} tone=${verified ? 'good' : 'bad'}>${verified ? 'verified' : 'not verified'}<//>`}
    <${Badge} tone=${'status' in answer && answer.status < 300 ? 'good' : 'warn'}>answered ${'status' in answer ? answer.status : answer.error}<//></p>
    ${kind !== 'plain' && body !== undefined && html`<${ChatMessage} text=${body} />`}
    <details open=${kind === 'plain'}><summary>As it came</summary><${Body} label="Body" value=${body ?? bytes} /><${Headers} label="Headers" headers=${headers} /></details>
  </li>` as VNode;
}
