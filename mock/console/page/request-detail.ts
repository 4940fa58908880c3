import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Schemas } from './api.ts';
import { curlOf } from './curl-of.ts';
import { DetailFrame } from './detail-frame.ts';
import { exactId } from './exact-json.ts';
import { ForceForm } from './forced-answers.ts';
import { Body, Copy, Headers, Problem } from './parts.ts';
import type { Store } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Request = Schemas['Request'];

export function RequestDetail({ store, id }: { store: Store; id: string }): VNode {
  const { answer, error } = useAnswer('/requests/{id}', undefined, { path: { id: exactId(id) } });
  return html`<${DetailFrame} title="Request ${id}" back="requests">
    <${Problem} text=${error} />
    ${answer && html`<${Shown} store=${store} request=${answer} />`}
  <//>`;
}

function Shown({ store, request }: { store: Store; request: Request }): VNode {
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
