import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { Act } from './forms.ts';
import { timeNow, useOverview } from './store.ts';

export function ClockButtons() {
  const { clock, deliveries } = useOverview();
  const next = deliveries.flatMap(({ planned }) => planned.slice(0, 1)).sort()[0] ?? '';
  /** A running clock may have passed `next` already, and can't be moved back. */
  const moveToNext = () => {
    const isPast = clock.mode === 'real' && Date.parse(next) <= timeNow();
    return move(isPast ? { advance: 'PT0S' } : { to: next });
  };
  return html`<div class="card buttons" role="group" aria-label="Move the clock">
    <span>Move the clock by</span>
    <${Act} disabled=${next === ''} work=${moveToNext}>Next retry<//>
    ${[1, 5, 30, 36].map((minutes) => html`<${Act} key=${minutes} work=${() => move({ advance: `PT${minutes}M` })}>${minutes} min<//>`)}
  </div>`;
}

async function move(body: Schemas['ClockMove']): Promise<string> {
  const { now, attempts } = await mock.POST('/clock', { body });
  const many = attempts.length === 1 ? '1 attempt was' : `${attempts.length} attempts were`;
  return `It is ${now.slice(11, 19)} now; ${many} made on the way.`;
}
