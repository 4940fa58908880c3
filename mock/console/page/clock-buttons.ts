import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { type Store, timeNow, useStore } from './store.ts';

type Moved = Schemas['MovedClock'];

/** Moves the mock's time; the retries that become due arrive while one looks. */
export function ClockButtons({ store }: { store: Store }): VNode {
  const { overview } = useStore(store);
  const next = (overview?.deliveries ?? []).flatMap(({ planned }) => planned.slice(0, 1)).sort()[0];
  const move = (body: Schemas['ClockMove']) =>
    void store.act(async () => tell(await mock.POST('/clock', { body })));
  return html`<div class="card buttons" role="group" aria-label="Move the clock">
    <span>Move the clock by</span>
    <button type="button" disabled=${next === undefined} onClick=${() => next !== undefined && move(upTo(next, store))}>Next retry</button>
    ${[1, 5, 30, 36].map((minutes) => html`<button key=${minutes} type="button" onClick=${() => move({ advance: `PT${minutes}M` })}>${minutes} min</button>`)}
  </div>`;
}

/** A real clock may have passed that time meanwhile; then it is done already. */
function upTo(next: string, store: Store): Schemas['ClockMove'] {
  const state = store.get();
  const isPast = state.overview?.clock.mode === 'real' && Date.parse(next) <= timeNow(state);
  return isPast ? { advance: 'PT0S' } : { to: next };
}

function tell({ now, attempts }: Moved): string {
  const many = attempts.length === 1 ? '1 attempt was' : `${attempts.length} attempts were`;
  return `It is ${now.slice(11, 19)} now; ${many} made on the way.`;
}
