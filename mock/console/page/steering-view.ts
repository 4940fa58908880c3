import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { mock } from './api.ts';
import { ClockButtons } from './clock-buttons.ts';
import { Badge, inputOf, Problem, type ViewProps } from './parts.ts';
import { type Store, timeNow, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

export function SteeringView({ store }: ViewProps): VNode {
  return html`<${ClockButtons} store=${store} /><${ClockMode} store=${store} /><${Limits} store=${store} /><${Variations} store=${store} /><${Faults} store=${store} />` as VNode;
}

function ClockMode({ store }: { store: Store }): VNode {
  const { overview } = useStore(store);
  const isManual = overview?.clock.mode === 'manual';
  const turn = () =>
    void store.act(async () => {
      await mock.POST('/clock', { body: { mode: isManual ? 'real' : 'manual' } });
      return isManual ? 'The clock goes on by itself.' : 'The clock stands still until it is moved.';
    });
  const expire = () =>
    void store.act(async () => {
      const { expired } = await mock.POST('/tokens/expire', { body: {} });
      return `${expired} session token${expired === 1 ? '' : 's'} expired.`;
    });
  return html`<div class="card buttons" role="group" aria-label="Clock and tokens">
    <button type="button" onClick=${turn}>${isManual ? 'Let the clock run' : 'Stop the clock'}</button>
    <button type="button" onClick=${expire}>Expire all session tokens</button>
  </div>`;
}

function Limits({ store }: { store: Store }): VNode {
  const state = useStore(store);
  const { answer, error } = useAnswer('/limits', state.stamp);
  const now = timeNow(state);
  const used = (answer?.limits ?? []).filter((one) => one.used > 0);
  const clear = () =>
    void store.act(async () => {
      await mock.DELETE('/limits');
      return 'All limits are open again.';
    });
  return html`<section class="card" aria-label="Limits"><h2>Limits</h2><${Problem} text=${error} />
    ${used.length === 0 && html`<p class="soft">Nothing counts at the moment.</p>`}
    <ul class="plain">${used.map(
      (
        one,
      ) => html`<li key=${`${one.limit} ${one.tenant}`}>${one.tenant}: ${one.limit} <b>${one.used} of ${one.of}</b>
      ${one.used >= one.of && html` <${Badge} tone="bad">used up<//>`}
      ${one.frees_at && html` <span class="soft">the oldest is free in ${Math.max(0, Math.ceil((Date.parse(one.frees_at) - now) / 1000))} s</span>`}</li>`,
    )}</ul>
    <button type="button" onClick=${clear}>Clear the limits</button></section>` as VNode;
}

function Variations({ store }: { store: Store }): VNode {
  const { overview } = useStore(store);
  const ids = overview?.variations ?? [];
  return html`<section class="card" aria-label="Variations"><h2>Variations</h2>
    <p>${ids.length === 0 ? 'None is on. ' : ids.map((id) => html`<${Badge} key=${id} tone="warn">${id}<//> `)}<span class="soft">They are chosen at the start, with <code>--vary</code>.</span></p></section>` as VNode;
}

const mostFaults = 60;

function Faults({ store }: { store: Store }): VNode {
  const { overview } = useStore(store);
  const [text, setText] = useState('');
  const [changes, setChanges] = useState(0);
  const { answer, error } = useAnswer('/faults', `${changes} ${overview?.faults.join()}`);
  const { faults = [], on = [] } = answer ?? {};
  const words = text.toLowerCase().split(/\s+/);
  const holds = (one: string) => words.every((word) => one.toLowerCase().includes(word));
  const found = faults.filter(
    ({ id, title, requirement }) => on.includes(id) || holds(`${id} ${title} ${requirement}`),
  );
  const ordered = [
    ...found.filter(({ id }) => on.includes(id)),
    ...found.filter(({ id }) => !on.includes(id)),
  ];
  const turn = (id: string) =>
    void store.act(async () => {
      const wanted = on.includes(id) ? on.filter((one) => one !== id) : [...on, id];
      await mock.PUT('/faults', { body: { on: wanted } });
      await store.reload();
      setChanges(changes + 1);
      return `The fault ${id} is ${on.includes(id) ? 'off' : 'on'}.`;
    });
  return html`<section class="card" aria-label="Faults"><h2>Faults</h2><${Problem} text=${error} />
    <div class="tools"><label>Search faults <input type="search" value=${text} onInput=${(event: Event) => setText(inputOf(event))} /></label>
    <p class="soft" role="status">${on.length} on; ${found.length} of ${faults.length} fit</p></div>
    <ul class="plain faults">${ordered
      .slice(0, mostFaults)
      .map(
        ({ id, title, requirement }) =>
          html`<li key=${id}><label class="check"><input type="checkbox" checked=${on.includes(id)} onChange=${() => turn(id)} /> <span><b>${id}</b> ${title} <span class="soft">${requirement}</span></span></label></li>`,
      )}</ul>
    ${ordered.length > mostFaults && html`<p class="soft">The first ${mostFaults} are shown; search for others.</p>`}</section>` as VNode;
}
