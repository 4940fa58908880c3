import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { mock, type Schemas } from './api.ts';
import { Act } from './forms.ts';
import { Search } from './frames.ts';
import { Badge, counted } from './parts.ts';
import { act, timeNow, useAnswer, useOverview, useStore } from './store.ts';

export function SteeringView() {
  return html`<${ClockButtons} /><${ClockMode} /><${Limits} /><${Variations} /><${Faults} />`;
}

function ClockMode() {
  const isManual = useOverview().clock.mode === 'manual';
  const turn = () => mock.POST('/clock', { body: { mode: isManual ? 'real' : 'manual' } });
  const turned = isManual ? 'The clock runs.' : 'The clock is stopped. Use the buttons to advance it.';
  const expire = async () => {
    const { expired } = await mock.POST('/tokens/expire', { body: {} });
    return `${counted(expired, 'session token')} expired.`;
  };
  return html`<div class="card buttons" role="group" aria-label="Clock and tokens">
    <${Act} work=${turn} said=${turned}>${isManual ? 'Start the clock' : 'Stop the clock'}<//>
    <${Act} work=${expire}>Expire all session tokens<//>
  </div>`;
}

function Limits() {
  const { answer, error } = useAnswer(() => mock.GET('/limits'), useStore().stamp);
  const used = (answer?.limits ?? []).filter((one) => one.used > 0);
  return html`<section class="card" aria-label="Limits"><h2>Limits</h2>${error && html`<p class="bad">${error}</p>`}
    ${used.length === 0 && html`<p class="soft">No calls count towards a limit at the moment.</p>`}
    <ul class="plain">${used.map((one) => html`<${Limit} key=${`${one.limit} ${one.tenant}`} shown=${one} />`)}</ul>
    <${Act} work=${() => mock.DELETE('/limits')} said="The limits were reset.">Reset the limits<//></section>`;
}

function Limit({ shown }: { shown: Schemas['Limit'] }) {
  const { tenant, limit, used, of, frees_at: freesAt = '' } = shown;
  const left = Math.max(0, Math.ceil((Date.parse(freesAt) - timeNow()) / 1000));
  return html`<li>${tenant}: ${limit} <b>${used} of ${of}</b>
    ${used >= of && html` <${Badge} tone="bad">used up<//>`}
    ${freesAt && html` <span class="soft">one call is free in ${left} s</span>`}</li>`;
}

function Variations() {
  const { variations } = useOverview();
  return html`<section class="card" aria-label="Variations"><h2>Variations</h2>
    <p>${variations.length === 0 ? 'None. ' : variations.map((id) => html`<${Badge} key=${id} tone="warn">${id}<//> `)}<span class="soft">Choose them with <code>--vary</code> when you start the mock.</span></p></section>`;
}

const mostFaults = 60;

function Faults() {
  const [text, setText] = useState('');
  const { answer, error } = useAnswer(() => mock.GET('/faults'), useOverview().faults.join());
  const { faults = [], on = [] } = answer ?? {};
  const words = text.toLowerCase().split(/\s+/);
  const holds = (one: string) => words.every((word) => one.toLowerCase().includes(word));
  const isOn = ({ id }: { id: string }) => on.includes(id);
  const found = faults.filter((one) => isOn(one) || holds(`${one.id} ${one.title} ${one.requirement}`));
  const ordered = [...found.filter(isOn), ...found.filter((one) => !isOn(one))];
  const turn = async (id: string) => {
    const wanted = on.includes(id) ? on.filter((one) => one !== id) : [...on, id];
    await mock.PUT('/faults', { body: { on: wanted } });
    return `The fault ${id} is ${on.includes(id) ? 'off' : 'on'}.`;
  };
  return html`<section class="card" aria-label="Faults"><h2>Faults</h2>${error && html`<p class="bad">${error}</p>`}
    <div class="tools"><${Search} label="Search faults" text=${text} onText=${setText} />
    <p class="soft" role="status">${on.length} on; ${found.length} of ${faults.length} shown</p></div>
    <ul class="plain faults">${ordered
      .slice(0, mostFaults)
      .map(
        ({ id, title, requirement }) =>
          html`<li key=${id}><label class="check"><input type="checkbox" checked=${on.includes(id)} onChange=${() => void act(() => turn(id))} /> <span><b>${id}</b> ${title} <span class="soft">${requirement}</span></span></label></li>`,
      )}</ul>
    ${ordered.length > mostFaults && html`<p class="soft">Only the first ${mostFaults} are listed. Search for others.</p>`}</section>`;
}

export function ClockButtons() {
  const { clock, deliveries } = useOverview();
  const next = deliveries.flatMap(({ planned }) => planned.slice(0, 1)).sort()[0] ?? '';
  /** A running clock may have passed `next` already, and can't be moved back. */
  const moveToNext = () => {
    const isPast = clock.mode === 'real' && Date.parse(next) <= timeNow();
    return move(isPast ? { advance: 'PT0S' } : { to: next });
  };
  return html`<div class="card buttons" role="group" aria-label="Advance the clock">
    <span>Advance the clock</span>
    <${Act} disabled=${next === ''} work=${moveToNext}>Next retry<//>
    ${[1, 5, 30, 36].map((minutes) => html`<${Act} key=${minutes} work=${() => move({ advance: `PT${minutes}M` })}>${minutes} min<//>`)}
  </div>`;
}

async function move(body: Schemas['ClockMove']): Promise<string> {
  const { now, attempts } = await mock.POST('/clock', { body });
  return `The clock is at ${now.slice(11, 19)}. The mock made ${counted(attempts.length, 'delivery attempt')}.`;
}
