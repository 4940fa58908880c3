import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { ChatMessage } from './chat-message.ts';
import { exactId } from './exact-json.ts';
import { Act } from './forms.ts';
import { Detail, Log, Row, Split, type ViewProps } from './frames.ts';
import { Badge, Body, Copy, Headers, StateBadge, timeOf } from './parts.ts';
import { ClockButtons } from './steering-view.ts';
import { type DeliveryNote, timeNow, useAnswer, useOverview } from './store.ts';

type Attempt = Schemas['Attempt'];

export function DeliveriesView({ chosen }: ViewProps) {
  const { deliveries } = useOverview();
  const detail = chosen !== undefined && html`<${DeliveryDetail} key=${chosen} id=${chosen} />`;
  return html`<${ClockButtons} />
  <${Split} label="Pushes" detail=${detail}>
    <${Log} notes=${deliveries} kinds=${['pending', 'delivered', 'given-up']} kindsOf=${kindsOf} textsOf=${textsOf} row=${Delivery}>
      No pushes yet. Subscribe an inbox and trigger an event under <a href="#world">World</a>.
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
  const giveUp = () => mock.POST('/deliveries/{id}/give-up', { path: { id } });
  return html`<p><b>${event}</b> <${StateBadge} state=${state} /> <span class="soft">${channel}, to</span> <code>${url}</code></p>
    <p class="buttons"><${Act} work=${again}>Send again<//>
    <${Act} disabled=${state !== 'pending'} work=${giveUp} said="Push ${id} was given up.">Give up<//></p>
    <ol class="attempts">${attempts.map((one) => html`<${Shot} key=${one.number} attempt=${one} />`)}</ol>
    ${channel !== 'custom' && html`<h3>In the chat</h3><${ChatMessage} text=${body} />`}
    <${Body} label="Body of every attempt" value=${body} />
    <p><${Copy} text=${body} label="Copy the body as sent" /></p>`;
}

function Shot({ attempt }: { attempt: Attempt }) {
  const { number, cause, at, answer, signature_fits: fits, refusal } = attempt;
  return html`<li><b>Attempt ${number}</b> <span class="soft">${cause}, ${timeOf(at)}, ${attempt.duration_ms} ms</span> ${outcomeOf(attempt)}
    ${fits !== undefined && html` <${Badge} tone=${fits ? 'good' : 'bad'}>${fits ? 'signature valid' : 'signature invalid'}<//>`}
    ${refusal !== undefined && html`<p class="explained bad"><b>Refused by the robot:</b> ${refusal}</p>`}
    <${Headers} label="Headers" headers=${attempt.request_headers} />
    ${answer !== undefined && html`<details><summary>Answer</summary><pre tabindex="0" aria-label="Answer to attempt ${number}">${answer || '(empty)'}</pre></details>`}
  </li>`;
}

function outcomeOf(attempt: Attempt | undefined): string {
  return attempt?.error ?? `answered ${attempt?.status ?? 'nothing'}`;
}

const documentedMinutes = [0, 1, 6, 36];
const left = 8;
const width = 300;

function Retries({ note }: { note: DeliveryNote }) {
  const now = timeNow();
  const begin = Date.parse(note.attempts[0]?.at ?? note.planned[0] ?? note.created_at);
  const xOf = (time: number) => placeOf((time - begin) / 60_000);
  const isRunning = note.state === 'pending' && now >= begin;
  return html`<svg class="retries" viewBox="0 0 330 34" role="img" aria-label=${describe(note)}>
    <line class="axis" x1=${left} y1="11" x2=${left + width} y2="11" />
    ${isRunning && html`<line class="gone" x1=${left} y1="11" x2=${xOf(now)} y2="11" />`}
    ${documentedMinutes.map((minutes) => html`<text key=${minutes} x=${placeOf(minutes)} y="32">${minutes === 36 ? '36 min' : minutes}</text>`)}
    ${note.planned.map((at) => html`<circle key=${at} class="planned" cx=${xOf(Date.parse(at))} cy="11" r="5" />`)}
    ${note.attempts.map(({ at, ok, cause }, index) => html`<${Mark} key=${index} x=${xOf(Date.parse(at))} ok=${ok} isAgain=${cause === 'redelivery'} />`)}
    ${isRunning && html`<path class="now" d="M${xOf(now)} 0v22" />`}
  </svg>`;
}

/** A tick or cross accompanies the colour, for accessibility; a square marks a manual redelivery. */
function Mark({ x, ok, isAgain }: { x: number; ok: boolean; isAgain: boolean }) {
  const sign = ok ? `M${x - 3} 11l2 3l4-6` : `M${x - 2.5} 8.5l5 5m0-5l-5 5`;
  const shape = isAgain
    ? html`<rect x=${x - 6} y="5" width="12" height="12" />`
    : html`<circle cx=${x} cy="11" r="6.5" />`;
  return html`<g class=${ok ? 'good' : 'bad'}>${shape}<path d=${sign} /></g>`;
}

/** Uses the square root, so that the first minute is visible next to 36 minutes. */
function placeOf(minutes: number): number {
  return Math.round((left + Math.sqrt(Math.min(Math.max(minutes, 0), 36) / 36) * width) * 10) / 10;
}

function describe({ attempts, planned }: DeliveryNote): string {
  const made = attempts.map(
    ({ at, ok, status }) => `${timeOf(at)} ${status ?? 'no answer'}${ok ? '' : ', failed'}`,
  );
  const parts = [
    made.length > 0 && `Attempts: ${made.join('; ')}`,
    planned.length > 0 && `planned: ${planned.map(timeOf).join('; ')}`,
  ];
  return parts.filter(Boolean).join('. ') || 'No attempts';
}
