import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Schemas } from './api.ts';
import { curlOf } from './curl-of.ts';
import { exactId } from './exact-json.ts';
import { Answers, ForceForm } from './forced-answers.ts';
import { Detail, Log, Row, Split } from './frames.ts';
import { Badge, Body, Copy, Headers, timeOf, type ViewProps } from './parts.ts';
import { type RequestNote, type Store, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

export function RequestsView({ store, chosen }: ViewProps): VNode {
  const { overview } = useStore(store);
  const { requests = [], evicted = 0, base_url: base } = overview ?? {};
  const row = (note: RequestNote) =>
    html`<${Request} key=${note.id} note=${note} chosen=${chosen} />` as VNode;
  const detail = chosen !== undefined && html`<${RequestDetail} key=${chosen} store=${store} id=${chosen} />`;
  return html`<${Split} label="Requests of the service" detail=${detail}>
    <${Log} notes=${requests} kinds=${['accepted', 'refused', 'forced']} isOf=${isOf} textsOf=${textsOf} row=${row}
      remark=${evicted > 0 ? `; ${evicted} older ones are gone` : ''}>Nothing yet. The service is at <code>${base}</code>.<//>
    <${Answers} store=${store} />
  <//>` as VNode;
}

function Request({ note, chosen }: { note: RequestNote; chosen: string | undefined }): VNode {
  const { id, at, method, path, status, code, who, refusal } = note;
  return html`<${Row} place="requests/${id}" kind="request" isChosen=${String(id) === chosen}>
    <time>${timeOf(at)}</time> <b class="method">${method}</b> <span class="path">${path}</span>
    <span class="tail"><${Badge} tone=${isFailure(note) ? 'bad' : 'good'}>${status}${code === undefined ? '' : ` · ${code}`}<//>
    ${note.forced_by && html` <${Badge} tone="warn">forced<//>`}
    ${who && html` <span class="soft">${who}</span>`} <span class="soft">${note.duration_ms.toFixed(1)} ms</span></span>
    ${refusal && html`<span class="why">${refusal}</span>`}
  <//>` as VNode;
}

/** Some deployments answer a refusal with the status 200 and a code. */
function isFailure({ status, code, refusal }: RequestNote): boolean {
  return status >= 400 || refusal !== undefined || (code ?? 0) !== 0;
}

function isOf(note: RequestNote, kind: string): boolean {
  if (kind === 'forced') return note.forced_by !== undefined;
  return isFailure(note) === (kind === 'refused');
}

function textsOf({ method, path, operation, who, status, code, trace_id: trace, refusal }: RequestNote) {
  return [`${method} ${path}`, operation, who, status, code, trace, refusal];
}

function RequestDetail({ store, id }: { store: Store; id: string }): VNode {
  const { answer, error } = useAnswer('/requests/{id}', undefined, { path: { id: exactId(id) } });
  return html`<${Detail} title="Request ${id}" back="requests" error=${error}>
    ${answer && html`<${Shown} store=${store} request=${answer} />`}
  <//>`;
}

function Shown({ store, request }: { store: Store; request: Schemas['Request'] }): VNode {
  const base = store.get().overview?.base_url ?? '';
  return html`<p class="call"><b>${request.method}</b> <code>${request.path}</code></p>
    ${request.refusal !== undefined && html`<p class="explained bad"><b>Refused:</b> ${request.refusal}</p>`}
    ${request.delay_reason !== undefined && html`<p class="explained warn"><b>Held back:</b> ${request.delay_reason}</p>`}
    ${request.forced_by !== undefined && html`<p class="explained warn">This answer was asked for with ${request.forced_by === 'prefer' ? 'the Prefer header' : 'an override'}.</p>`}
    <dl class="facts">
      <${Fact} name="Operation" value=${request.operation ?? 'none'} />
      <${Fact} name="Who" value=${request.who ?? 'not known'} />
      <${Fact} name="Tenant" value=${request.tenant ?? 'not known'} />
      <${Fact} name="At" value=${request.at} />
      <${Fact} name="Took" value="${request.duration_ms} ms" />
      <${Fact} name="Answer" value="${request.status}${request.code === undefined ? '' : `, code ${request.code}`}" />
      <${Fact} name="Trace id" value=${request.trace_id} />
    </dl>
    <p><${Copy} label="Copy as curl" text=${curlOf(request, base)} /></p>
    <${Body} label="Request body" value=${request.request_body} />
    <${Headers} label="Request headers" headers=${request.request_headers} />
    <${Body} label="Answer" value=${request.response_body} />
    ${request.operation && html`<h3>Next time</h3><${ForceForm} store=${store} operation=${request.operation} body=${request.response_body} />`}` as VNode;
}

function Fact({ name, value }: { name: string; value: string }): VNode {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
