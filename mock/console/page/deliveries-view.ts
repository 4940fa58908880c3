import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ClockButtons } from './clock-buttons.ts';
import { DeliveryDetail } from './delivery-detail.ts';
import { Retries } from './draw-retries.ts';
import { Empty, inputOf, Rows, StateBadge, timeOf, type ViewProps } from './parts.ts';
import { type DeliveryNote, useStore } from './store.ts';

export function DeliveriesView({ store, chosen }: ViewProps): VNode {
  const { overview, aheadMs } = useStore(store);
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState('all');
  const all = overview?.deliveries ?? [];
  const now = overview?.clock.mode === 'manual' ? Date.parse(overview.clock.now) : Date.now() + aheadMs;
  const found = all
    .filter((one) => (wanted === 'all' || one.state === wanted) && holds(one, text.toLowerCase()))
    .reverse();
  return html`<${ClockButtons} store=${store} />
  <div class="split ${chosen === undefined ? '' : 'has-detail'}">
    <section aria-label="Log of pushes">
      <div class="tools">
        <label>Search <input type="search" value=${text} onInput=${(event: Event) => setText(inputOf(event))} /></label>
        <label>Show <select value=${wanted} onChange=${(event: Event) => setWanted(inputOf(event))}>
          ${['all', 'pending', 'delivered', 'given-up'].map((state) => html`<option key=${state} value=${state}>${state}</option>`)}
        </select></label>
        <p class="soft" role="status">${found.length} of ${all.length}</p>
      </div>
      ${all.length === 0 && html`<${Empty}>Nothing was pushed yet. Subscribe an inbox and cause an event under <a href="#world">World</a>.<//>`}
      <${Rows} entries=${found} row=${(one: DeliveryNote) => html`<${Row} key=${one.id} note=${one} now=${now} isChosen=${String(one.id) === chosen} />`} />
    </section>
    ${chosen !== undefined && html`<${DeliveryDetail} key=${chosen} store=${store} id=${chosen} note=${all.find(({ id }) => String(id) === chosen)} now=${now} />`}
  </div>` as VNode;
}

function Row({ note, now, isChosen }: { note: DeliveryNote; now: number; isChosen: boolean }): VNode {
  return html`<li><a href="#deliveries/${note.id}" class="row delivery" aria-current=${isChosen ? 'true' : undefined}>
    <span class="what"><time>${timeOf(note.created_at)}</time> <b>${note.event}</b> <span class="soft">push ${note.id}, site ${note.site_id}, ${note.channel}</span></span>
    <${StateBadge} state=${note.state} />
    <span class="path soft">${note.url}</span>
    <${Retries} note=${note} now=${now} />
  </a></li>` as VNode;
}

function holds({ id, event, url, site_id: site, channel }: DeliveryNote, text: string): boolean {
  return [`push ${id}`, event, url, `site ${site}`, channel].some((part) =>
    part.toLowerCase().includes(text),
  );
}
