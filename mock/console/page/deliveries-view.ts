import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { ClockButtons } from './clock-buttons.ts';
import { Retries } from './draw-retries.ts';
import { exactId } from './exact-json.ts';
import { Detail, Log, Row, Split } from './frames.ts';
import { Badge, Body, Copy, Headers, StateBadge, timeOf, type ViewProps } from './parts.ts';
import { type DeliveryNote, type Store, timeNow, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Attempt = Schemas['Attempt'];

export function DeliveriesView({ store, chosen }: ViewProps): VNode {
  const state = useStore(store);
  const { deliveries = [] } = state.overview ?? {};
  const now = timeNow(state);
  const note = deliveries.find(({ id }) => String(id) === chosen);
  const row = (one: DeliveryNote) =>
    html`<${Delivery} key=${one.id} note=${one} now=${now} isChosen=${one === note} />` as VNode;
  const detail =
    chosen !== undefined &&
    html`<${DeliveryDetail} key=${chosen} store=${store} id=${chosen} note=${note} now=${now} />`;
  return html`<${ClockButtons} store=${store} />
  <${Split} label="Log of pushes" detail=${detail}>
    <${Log} notes=${deliveries} kinds=${['pending', 'delivered', 'given-up']} isOf=${isOf} textsOf=${textsOf} row=${row}>
      Nothing was pushed yet. Subscribe an inbox and cause an event under <a href="#world">World</a>.
    <//>
  <//>` as VNode;
}

interface DeliveryProps {
  note: DeliveryNote;
  now: number;
  isChosen: boolean;
}

function Delivery({ note, now, isChosen }: DeliveryProps): VNode {
  return html`<${Row} place="deliveries/${note.id}" kind="delivery" isChosen=${isChosen}>
    <span class="what"><time>${timeOf(note.created_at)}</time> <b>${note.event}</b> <span class="soft">push ${note.id}, site ${note.site_id}, ${note.channel}</span></span>
    <${StateBadge} state=${note.state} />
    <span class="path soft">${note.url}</span>
    <${Retries} note=${note} now=${now} />
  <//>` as VNode;
}

function isOf({ state }: DeliveryNote, kind: string): boolean {
  return state === kind;
}

function textsOf({ id, event, url, site_id: site, channel }: DeliveryNote) {
  return [`push ${id}`, event, url, `site ${site}`, channel];
}

interface DetailProps {
  store: Store;
  id: string;
  note: DeliveryNote | undefined;
  now: number;
}

function DeliveryDetail({ store, id, note, now }: DetailProps): VNode {
  const { answer, error } = useAnswer('/deliveries/{id}', note && `${note.state} ${note.attempts.length}`, {
    path: { id: exactId(id) },
  });
  return html`<${Detail} title="Push ${id}" back="deliveries" error=${error}>
    ${note && html`<${Retries} note=${note} now=${now} />`}
    ${answer && html`<${Shown} store=${store} delivery=${answer} />`}
  <//>`;
}

function Shown({ store, delivery }: { store: Store; delivery: Schemas['Delivery'] }): VNode {
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
