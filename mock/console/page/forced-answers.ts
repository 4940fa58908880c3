import { html } from 'htm/preact';
import { mock, type Schemas } from './api.ts';
import { writeExactly } from './exact-json.ts';
import { Act, Choice, Form, jsonOf, textOf } from './forms.ts';
import { useOverview, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

interface ForceProps {
  /** The operation that is selected at first. */
  operation?: string;
  /** A body that the user may start from. */
  body?: unknown;
}

export function ForceForm({ operation, body }: ForceProps) {
  const { operations } = useOverview();
  const label = operation === undefined ? 'Force an answer' : `Force an answer of ${operation}`;
  return html`<${Form} label=${label} work=${force}>
    <${Choice} label="Operation" name="operation" options=${operations} value=${operation} />
    <div class="fields">
      <label>Status <input name="status" inputmode="numeric" pattern="[2-5][0-9][0-9]" placeholder="503" /></label>
      <label>Code <input name="code" inputmode="numeric" pattern="-?[0-9]+" placeholder="as usual" /></label>
      <label>Delay in ms <input name="delay" inputmode="numeric" pattern="[0-9]+" placeholder="0" /></label>
      <label>Times <input name="times" inputmode="numeric" pattern="[0-9]*" value="1" /></label>
    </div>
    <details><summary>A body of my own</summary>
      <label>JSON, sent as it is; empty for the usual one <textarea name="body" rows="6" spellcheck="false"></textarea></label>
      ${body !== undefined && html`<button type="button" class="small" onClick=${(event: Event) => fillIn(event, body)}>Begin with this answer</button>`}
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
  return `The next ${body.times === 1 ? 'call' : 'calls'} of ${body.operation} will be answered so.`;
}

export function Answers() {
  const { answer } = useAnswer(() => mock.GET('/overrides'), useStore().stamp);
  const waiting = answer?.overrides ?? [];
  const clear = async () => {
    await mock.DELETE('/overrides');
    return 'No answer is forced any more.';
  };
  return html`<details class="card"><summary>Forced answers (${waiting.length})</summary>
    ${
      waiting.length > 0 &&
      html`<ul>${waiting.map((one, index) => html`<li key=${index}><code>${describe(one)}</code></li>`)}</ul>
      <${Act} work=${clear}>Forget them<//>`
    }
    <${ForceForm} />
  </details>`;
}

function describe({ operation, status, code, delay_ms: delay, times, body }: Schemas['Override']): string {
  const parts = [
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
    body !== undefined && 'a body of your own',
    delay !== undefined && `${delay} ms later`,
    times === undefined ? 'always' : `${times} more`,
  ];
  return `${operation}: ${parts.filter(Boolean).join(', ')}`;
}
