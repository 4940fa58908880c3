import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Answers } from './forced-answers.ts';
import { Badge, Empty, inputOf, Rows, timeOf, type ViewProps } from './parts.ts';
import { RequestDetail } from './request-detail.ts';
import { type RequestNote, useStore } from './store.ts';

type Kind = 'all' | 'refused' | 'accepted' | 'forced';

export function RequestsView({ store, chosen }: ViewProps): VNode {
  const { overview } = useStore(store);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const all = overview?.requests ?? [];
  const found = all.filter((one) => isOf(kind, one) && holds(one, text.toLowerCase())).reverse();
  return html`<div class="split ${chosen === undefined ? '' : 'has-detail'}">
    <section aria-label="Requests of the service">
      <div class="tools">
        <label>Search <input type="search" value=${text} onInput=${(event: Event) => setText(inputOf(event))} /></label>
        <label>Show <select value=${kind} onChange=${(event: Event) => setKind(inputOf(event) as Kind)}>
          <option value="all">all</option><option value="accepted">accepted</option><option value="refused">refused</option><option value="forced">forced</option>
        </select></label>
        <p class="soft" role="status">${found.length} of ${all.length}${overview?.evicted ? `; ${overview.evicted} older ones are gone` : ''}</p>
      </div>
      ${all.length === 0 && html`<${Empty}>Nothing yet. The service is at <code>${overview?.base_url}</code>.<//>`}
      <${Rows} entries=${found} row=${(one: RequestNote) => html`<${Row} key=${one.id} note=${one} isChosen=${String(one.id) === chosen} />`} />
      <${Answers} store=${store} />
    </section>
    ${chosen !== undefined && html`<${RequestDetail} key=${chosen} store=${store} id=${chosen} />`}
  </div>` as VNode;
}

function Row({ note, isChosen }: { note: RequestNote; isChosen: boolean }): VNode {
  const isRefused = isFailure(note);
  return html`<li><a href="#requests/${note.id}" class="row request" aria-current=${isChosen ? 'true' : undefined}>
    <time>${timeOf(note.at)}</time> <b class="method">${note.method}</b> <span class="path">${note.path}</span>
    <span class="tail"><${Badge} tone=${isRefused ? 'bad' : 'good'}>${note.status}${note.code === undefined ? '' : ` · ${note.code}`}<//>
    ${note.forced_by && html` <${Badge} tone="warn">forced<//>`}
    ${note.who && html` <span class="soft">${note.who}</span>`} <span class="soft">${note.duration_ms.toFixed(1)} ms</span></span>
    ${note.refusal && html`<span class="why">${note.refusal}</span>`}
  </a></li>` as VNode;
}

/** Some deployments answer a refusal with the status 200 and a code. */
function isFailure({ status, code, refusal }: RequestNote): boolean {
  return status >= 400 || refusal !== undefined || (code ?? 0) !== 0;
}

function isOf(kind: Kind, note: RequestNote): boolean {
  if (kind === 'forced') return note.forced_by !== undefined;
  return kind === 'all' || isFailure(note) === (kind === 'refused');
}

function holds(
  { method, path, operation, who, status, code, trace_id: trace, refusal }: RequestNote,
  text: string,
): boolean {
  return [`${method} ${path}`, operation, who, status, code, trace, refusal].some((part) =>
    String(part ?? '')
      .toLowerCase()
      .includes(text),
  );
}
