// Draws the made and planned attempts and the mock's time on an axis of 36 minutes.
import { html } from 'htm/preact';
import { timeOf } from './parts.ts';
import { type DeliveryNote, timeNow } from './store.ts';

const documentedMinutes = [0, 1, 6, 36];
const left = 8;
const width = 300;

export function Retries({ note }: { note: DeliveryNote }) {
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

/** Uses the square root, so that the first minute is visible beside 36. */
function placeOf(minutes: number): number {
  return Math.round((left + Math.sqrt(Math.min(Math.max(minutes, 0), 36) / 36) * width) * 10) / 10;
}

function describe({ attempts, planned }: DeliveryNote): string {
  const made = attempts.map(
    ({ at, ok, status }) => `${timeOf(at)} ${status ?? 'no answer'}${ok ? '' : ', failed'}`,
  );
  const parts = [
    made.length > 0 && `Attempts: ${made.join('; ')}`,
    planned.length > 0 && `to come: ${planned.map(timeOf).join('; ')}`,
  ];
  return parts.filter(Boolean).join('. ') || 'No attempts';
}
