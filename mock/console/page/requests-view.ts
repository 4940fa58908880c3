import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { curlOf } from './curl-of.ts';
import { exactId, writeExactly } from './exact-json.ts';
import { Act, Choice, Form, jsonOf, textOf } from './forms.ts';
import { Detail, Log, Row, Split, type ViewProps } from './frames.ts';
import { Badge, Body, Copy, Headers, Pairs, timeOf } from './parts.ts';
import { type RequestNote, useAnswer, useOverview, useStore } from './store.ts';

export function RequestsView({ chosen }: ViewProps) {
  const { requests, evicted, base_url: base } = useOverview();
  const detail = chosen !== undefined && html`<${RequestDetail} key=${chosen} id=${chosen} />`;
  return html`<${Split} label="Requests to the service" detail=${detail}>
    <${Log} notes=${requests} kinds=${['accepted', 'refused', 'forced']} kindsOf=${kindsOf} textsOf=${textsOf} row=${Request}
      remark=${evicted > 0 ? `; ${evicted} older ones were dropped` : ''}>No requests yet. The base URL of the service is <code>${base}</code>.<//>
    <${Answers} />
  <//>`;
}

function Request({ note }: { note: RequestNote }) {
  const { id, at, method, path, status, code, who, refusal } = note;
  return html`<${Row} place="requests/${id}" kind="request">
    <time>${timeOf(at)}</time> <b class="method">${method}</b> <span class="path">${path}</span>
    <span class="tail"><${Badge} tone=${isFailure(note) ? 'bad' : 'good'}>${status}${code === undefined ? '' : ` · ${code}`}<//>
    ${note.forced_by && html` <${Badge} tone="warn">forced<//>`}
    ${who && html` <span class="soft">${who}</span>`} <span class="soft">${note.duration_ms.toFixed(1)} ms</span></span>
    ${refusal && html`<span class="why">${refusal}</span>`}
  <//>`;
}

/** Some deployments answer refusals with HTTP status 200 and an error code. */
function isFailure({ status, code, refusal }: RequestNote): boolean {
  return status >= 400 || refusal !== undefined || (code ?? 0) !== 0;
}

function kindsOf(note: RequestNote) {
  return [isFailure(note) ? 'refused' : 'accepted', note.forced_by && 'forced'];
}

function textsOf({ method, path, operation, who, status, code, trace_id: trace, refusal }: RequestNote) {
  return [`${method} ${path}`, operation, who, status, code, trace, refusal];
}

function RequestDetail({ id }: { id: string }) {
  const path = { id: exactId(id) };
  const { answer, error } = useAnswer(() => mock.GET('/requests/{id}', { path }), id);
  return html`<${Detail} title="Request ${id}" back="requests" error=${error}>
    ${answer && html`<${Shown} request=${answer} />`}
  <//>`;
}

function Shown({ request }: { request: Schemas['Request'] }) {
  const { base_url: base } = useOverview();
  const { method, path, operation, status, code, response_body: answer } = request;
  const facts = {
    Operation: operation ?? 'none',
    Caller: request.who ?? 'unknown',
    Tenant: request.tenant ?? 'unknown',
    Time: request.at,
    Duration: `${request.duration_ms} ms`,
    Answer: `${status}${code === undefined ? '' : `, code ${code}`}`,
    'Trace id': request.trace_id,
  };
  return html`<p class="call"><b>${method}</b> <code>${path}</code></p>
    ${request.refusal !== undefined && html`<p class="explained bad"><b>Refused:</b> ${request.refusal}</p>`}
    ${request.delay_reason !== undefined && html`<p class="explained warn"><b>Delayed:</b> ${request.delay_reason}</p>`}
    ${request.forced_by !== undefined && html`<p class="explained warn">This answer was forced by ${request.forced_by === 'prefer' ? 'the Prefer header' : 'an override'}.</p>`}
    <${Pairs} kind="facts" pairs=${facts} />
    <p><${Copy} label="Copy as curl" text=${curlOf(request, base)} /></p>
    <${Body} label="Request body" value=${request.request_body} />
    <${Headers} label="Request headers" headers=${request.request_headers} />
    <${Body} label="Answer" value=${answer} />
    ${operation && html`<h3>Next answer</h3><${ForceForm} operation=${operation} body=${answer} />`}`;
}

interface ForceProps {
  operation?: string;
  /** A body that the user may start from. */
  body?: unknown;
}

function ForceForm({ operation, body }: ForceProps) {
  const { operations } = useOverview();
  const label = operation === undefined ? 'Force an answer' : `Force an answer of ${operation}`;
  return html`<${Form} label=${label} work=${force}>
    <${Choice} label="Operation" name="operation" options=${operations} value=${operation} />
    <div class="fields">
      <label>Status <input name="status" inputmode="numeric" pattern="[2-5][0-9][0-9]" placeholder="503" /></label>
      <label>Code <input name="code" inputmode="numeric" pattern="-?[0-9]+" placeholder="unchanged" /></label>
      <label>Delay in ms <input name="delay" inputmode="numeric" pattern="[0-9]+" placeholder="0" /></label>
      <label>Times <input name="times" inputmode="numeric" pattern="[0-9]*" value="1" /></label>
    </div>
    <details><summary>Custom body</summary>
      <label>JSON. Leave it empty for the normal body. <textarea name="body" rows="6" spellcheck="false"></textarea></label>
      ${body !== undefined && html`<button type="button" class="small" onClick=${(event: Event) => fillIn(event, body)}>Start from this answer</button>`}
    </details>
    <button type="submit">Force this answer</button>
  <//>`;
}

function fillIn(event: Event, body: unknown): void {
  const area = (event.currentTarget as HTMLElement).closest('form')?.querySelector('textarea');
  if (area) area.value = writeExactly(body, 2);
}

async function force(values: FormData): Promise<string> {
  const numberOf = (name: string) => (textOf(values, name) === '' ? undefined : Number(textOf(values, name)));
  const body = {
    operation: textOf(values, 'operation'),
    status: numberOf('status'),
    code: numberOf('code'),
    delay_ms: numberOf('delay'),
    times: numberOf('times'),
    body: jsonOf(values, 'body'),
  };
  await mock.POST('/overrides', { body });
  return `The mock forces this answer for the next ${body.times === 1 ? 'call' : 'calls'} of ${body.operation}.`;
}

function Answers() {
  const { answer } = useAnswer(() => mock.GET('/overrides'), useStore().stamp);
  const waiting = answer?.overrides ?? [];
  return html`<details class="card"><summary>Forced answers (${waiting.length})</summary>
    ${
      waiting.length > 0 &&
      html`<ul>${waiting.map((one, index) => html`<li key=${index}><code>${describe(one)}</code></li>`)}</ul>
      <${Act} work=${() => mock.DELETE('/overrides')} said="The forced answers were removed.">Remove them<//>`
    }
    <${ForceForm} />
  </details>`;
}

function describe({ operation, status, code, delay_ms: delay, times, body }: Schemas['Override']): string {
  const parts = [
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
    body !== undefined && 'custom body',
    delay !== undefined && `${delay} ms delay`,
    times === undefined ? 'always' : `${times} more`,
  ];
  return `${operation}: ${parts.filter(Boolean).join(', ')}`;
}
