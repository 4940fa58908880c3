import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { ClockButtons } from './clock-buttons.ts';
import { Retries } from './draw-retries.ts';
import { exactId } from './exact-json.ts';
import { Act } from './forms.ts';
import { Detail, Log, Row, Split, type ViewProps } from './frames.ts';
import { Badge, Body, Copy, Headers, StateBadge, timeOf } from './parts.ts';
import { type DeliveryNote, useOverview } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Attempt = Schemas['Attempt'];

export function DeliveriesView({ chosen }: ViewProps) {
  const { deliveries } = useOverview();
  const detail = chosen !== undefined && html`<${DeliveryDetail} key=${chosen} id=${chosen} />`;
  return html`<${ClockButtons} />
  <${Split} label="Log of pushes" detail=${detail}>
    <${Log} notes=${deliveries} kinds=${['pending', 'delivered', 'given-up']} kindsOf=${kindsOf} textsOf=${textsOf} row=${Delivery}>
      Nothing was pushed yet. Subscribe an inbox and cause an event under <a href="#world">World</a>.
    <//>
  <//>`;
}

function Delivery({ note }: { note: DeliveryNote }) {
  return html`<${Row} place="deliveries/${note.id}" kind="delivery">
    <span class="what"><time>${timeOf(note.created_at)}</time> <b>${note.event}</b> <span class="soft">push ${note.id}, site ${note.site_id}, ${note.channel}</span></span>
    <${StateBadge} state=${note.state} />
    <span class="path soft">${note.url}</span>
    <${Retries} note=${note} />
  <//>`;
}

function kindsOf({ state }: DeliveryNote) {
  return [state];
}

function textsOf({ id, event, url, site_id: site, channel }: DeliveryNote) {
  return [`push ${id}`, event, url, `site ${site}`, channel];
}

function DeliveryDetail({ id }: { id: string }) {
  const note = useOverview().deliveries.find((one) => String(one.id) === id);
  const path = { id: exactId(id) };
  const stamp = note && `${note.state} ${note.attempts.length}`;
  const { answer, error } = useAnswer(() => mock.GET('/deliveries/{id}', { path }), stamp);
  return html`<${Detail} title="Push ${id}" back="deliveries" error=${error}>
    ${note && html`<${Retries} note=${note} />`}
    ${answer && html`<${Shown} delivery=${answer} />`}
  <//>`;
}

function Shown({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { id, event, state, channel, url, body, attempts } = delivery;
  const again = async () => {
    const { attempts: made } = await mock.POST('/deliveries/{id}/redeliver', { path: { id } });
    return `Push ${id} was sent again: ${outcomeOf(made.at(-1))}.`;
  };
  const giveUp = async () => {
    await mock.POST('/deliveries/{id}/give-up', { path: { id } });
    return `Push ${id} is given up.`;
  };
  return html`<p><b>${event}</b> <${StateBadge} state=${state} /> <span class="soft">${channel}, to</span> <code>${url}</code></p>
    <p class="buttons"><${Act} work=${again}>Send again<//>
    <${Act} disabled=${state !== 'pending'} work=${giveUp}>Give up<//></p>
    <ol class="attempts">${attempts.map((one) => html`<${Shot} key=${one.number} attempt=${one} />`)}</ol>
    ${channel !== 'custom' && html`<h3>In the chat</h3><${ChatMessage} text=${body} />`}
    <${Body} label="Body of every attempt" value=${body} />
    <p><${Copy} text=${body} label="Copy the body as sent" /></p>`;
}

function Shot({ attempt }: { attempt: Attempt }) {
  const { number, cause, at, answer, signature_fits: fits, refusal } = attempt;
  return html`<li><b>Attempt ${number}</b> <span class="soft">${cause}, ${timeOf(at)}, ${attempt.duration_ms} ms</span> ${outcomeOf(attempt)}
    ${fits !== undefined && html` <${Badge} tone=${fits ? 'good' : 'bad'}>${fits ? 'signature fits' : 'signature does not fit'}<//>`}
    ${refusal !== undefined && html`<p class="explained bad"><b>The robot said:</b> ${refusal}</p>`}
    <${Headers} label="Headers" headers=${attempt.request_headers} />
    ${answer !== undefined && html`<details><summary>Answer</summary><pre tabindex="0" aria-label="Answer to attempt ${number}">${answer || '(empty)'}</pre></details>`}
  </li>`;
}

function outcomeOf(attempt: Attempt | undefined): string {
  return attempt?.error ?? `answered ${attempt?.status ?? 'nothing'}`;
}
