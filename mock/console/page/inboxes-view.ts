import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { Act, Form, jsonOf } from './forms.ts';
import { Detail, Row, Split, type ViewProps } from './frames.ts';
import { Badge, Body, Copy, counted, Headers, timeOf } from './parts.ts';
import { useAnswer, useOverview, useStore } from './store.ts';

type InboxNote = Schemas['InboxNote'];
type Answers = Schemas['InboxStep'][];

const mostMessages = 50;

export function InboxesView({ chosen }: ViewProps) {
  const { inboxes } = useOverview();
  const detail = chosen !== undefined && html`<${Inbox} key=${chosen} name=${chosen} />`;
  return html`<${Split} label="Built-in webhook receivers" detail=${detail}>
    ${inboxes.length === 0 && html`<p class="empty">No inboxes yet. Subscribe one under <a href="#world">World</a>.</p>`}
    <ol class="rows">${inboxes.map((one) => html`<${InboxRow} key=${one.name} note=${one} />`)}</ol>
  <//>`;
}

function InboxRow({ note }: { note: InboxNote }) {
  return html`<${Row} place="inboxes/${encodeURIComponent(note.name)}" kind="inbox">
    <b>${note.name}</b> <span class="soft">${note.kind}</span> <${Badge} tone="plain">${note.received} received<//>
    ${note.respond > 0 && html` <${Badge} tone="warn">${note.respond} prepared<//>`}
    <span class="path soft">${note.url}</span>
  <//>`;
}

function Inbox({ name }: { name: string }) {
  const note = useOverview().inboxes.find((one) => one.name === name);
  const list = () => mock.GET('/inbox/{name}/messages', { path: { name } });
  const { answer, error } = useAnswer(list, useStore().stamp);
  const messages = (answer?.messages ?? []).slice(-mostMessages).reverse();
  return html`<${Detail} title="Inbox ${name}" back="inboxes" error=${error}>
    ${note && html`<p><code>${note.url}</code> <${Copy} text=${note.url} /></p>`}
    <${NextAnswers} name=${name} waiting=${note?.respond ?? 0} />
    <h3>Messages</h3>
    ${messages.length === 0 && html`<p class="empty">No messages yet.</p>`}
    <ol class="messages">${messages.map((one) => html`<${Message} key=${one.id} message=${one} kind=${note?.kind ?? 'plain'} />`)}</ol>
  <//>`;
}

const prepared: readonly { label: string; answers: Answers; text: string }[] = [
  { label: 'Fail once', answers: [500], text: 'The inbox answers the next message with status 500.' },
  {
    label: 'Fail four times',
    answers: [500, 500, 500, 500],
    text: 'The inbox answers the next four messages with status 500.',
  },
  { label: 'No answer once', answers: ['timeout'], text: 'The inbox does not answer the next message.' },
  { label: 'Accept all', answers: [], text: 'The inbox accepts all messages.' },
];

function NextAnswers({ name, waiting }: { name: string; waiting: number }) {
  const prepare = (respond: Answers) => mock.PUT('/inbox/{name}', { path: { name }, body: { respond } });
  const prepareOwn = async (values: FormData) => {
    const respond = [jsonOf(values, 'respond')].flat() as Answers;
    await prepare(respond);
    return `The inbox gives these answers to the next ${counted(respond.length, 'message')}.`;
  };
  return html`<div class="buttons" role="group" aria-label="Next answers">${prepared.map(
    ({ label, answers, text }) => html`<${Act} key=${label} disabled=${answers.length === 0 && waiting === 0}
        work=${() => prepare(answers)} said=${text}>${label}<//>`,
  )}</div>
    <details><summary>Other answers (${waiting} prepared)</summary><${Form} label="Next answers" work=${prepareOwn}>
      <label>JSON list of statuses, "timeout", "reset", or { status, headers, body } <textarea name="respond" rows="3" spellcheck="false" required>[500, "timeout", {"status": 302, "headers": {"location": "/"}}]</textarea></label>
      <button type="submit">Prepare these answers</button><//></details>`;
}

function Message({ message, kind }: { message: Schemas['Message']; kind: string }) {
  const { id, at, method, path, verified, answer, headers, body, body_base64: bytes } = message;
  return html`<li class="message"><p><b>Message ${id}</b> <span class="soft">${timeOf(at)} ${method} ${path}</span>
    ${verified === undefined ? html` <${Badge} tone="plain">no secret<//>` : html` <${Badge} tone=${verified ? 'good' : 'bad'}>${verified ? 'signature valid' : 'signature invalid'}<//>`}
    <${Badge} tone=${'status' in answer && answer.status < 300 ? 'good' : 'warn'}>answered ${'status' in answer ? answer.status : answer.error}<//></p>
    ${kind !== 'plain' && body !== undefined && html`<${ChatMessage} text=${body} />`}
    <details open=${kind === 'plain'}><summary>As received</summary><${Body} label="Body" value=${body ?? bytes} /><${Headers} label="Headers" headers=${headers} /></details>
  </li>`;
}
