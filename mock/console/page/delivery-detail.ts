import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { DetailFrame } from './detail-frame.ts';
import { Retries } from './draw-retries.ts';
import { exactId } from './exact-json.ts';
import { Badge, Body, Copy, Headers, Problem, StateBadge, timeOf } from './parts.ts';
import type { DeliveryNote, Store } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Delivery = Schemas['Delivery'];
type Attempt = Schemas['Attempt'];

interface DetailProps {
  store: Store;
  id: string;
  note: DeliveryNote | undefined;
  now: number;
}

export function DeliveryDetail({ store, id, note, now }: DetailProps): VNode {
  const { answer, error } = useAnswer('/deliveries/{id}', note && `${note.state} ${note.attempts.length}`, {
    path: { id: exactId(id) },
  });
  return html`<${DetailFrame} title="Push ${id}" back="deliveries">
    <${Problem} text=${error} />
    ${note && html`<${Retries} note=${note} now=${now} />`}
    ${answer && html`<${Shown} store=${store} delivery=${answer} />`}
  <//>`;
}

function Shown({ store, delivery }: { store: Store; delivery: Delivery }): VNode {
  const { id, event, state, channel, url, body, attempts } = delivery;
  const again = () =>
    void store.act(async () => {
      const { attempts: made } = await mock.POST('/deliveries/{id}/redeliver', { path: { id } });
      return `Push ${id} was sent again: ${outcomeOf(made.at(-1))}.`;
    });
  const giveUp = () =>
    void store.act(async () => {
      await mock.POST('/deliveries/{id}/give-up', { path: { id } });
      return `Push ${id} is given up.`;
    });
  return html`<p><b>${event}</b> <${StateBadge} state=${state} /> <span class="soft">${channel}, to</span> <code>${url}</code></p>
    <p class="buttons"><button type="button" onClick=${again}>Send again</button>
    <button type="button" disabled=${state !== 'pending'} onClick=${giveUp}>Give up</button></p>
    <ol class="attempts">${attempts.map((one) => html`<${Shot} key=${one.number} attempt=${one} />`)}</ol>
    ${channel !== 'custom' && html`<h3>In the chat</h3><${ChatMessage} text=${body} />`}
    <${Body} label="Body of every attempt" value=${body} />
    <p><${Copy} text=${body} label="Copy the body as sent" /></p>` as VNode;
}

function Shot({ attempt }: { attempt: Attempt }): VNode {
  const {
    number,
    cause,
    at,
    request_headers: headers,
    answer,
    signature_fits: fits,
    refusal,
    duration_ms: took,
  } = attempt;
  return html`<li><b>Attempt ${number}</b> <span class="soft">${cause}, ${timeOf(at)}, ${took} ms</span> ${outcomeOf(attempt)}
    ${fits !== undefined && html` <${Badge} tone=${fits ? 'good' : 'bad'}>${fits ? 'signature fits' : 'signature does not fit'}<//>`}
    ${refusal !== undefined && html`<p class="explained bad"><b>The robot said:</b> ${refusal}</p>`}
    <${Headers} label="Headers" headers=${headers} />
    ${answer !== undefined && html`<details><summary>Answer</summary><pre tabindex="0" aria-label="Answer to attempt ${number}">${answer || '(empty)'}</pre></details>`}
  </li>` as VNode;
}

function outcomeOf(attempt: Attempt | undefined): string {
  return attempt?.error ?? `answered ${attempt?.status ?? 'nothing'}`;
}
