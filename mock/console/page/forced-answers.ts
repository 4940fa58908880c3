// Answers that are forced, and the form that asks for one.
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { mock, type Schemas } from './api.ts';
import { parseExactly, writeExactly } from './exact-json.ts';
import { Form, textOf } from './parts.ts';
import { type Store, useStore } from './store.ts';
import { useAnswer } from './use-answer.ts';

type Override = Schemas['Override'];

export function ForceForm({
  store,
  operation,
  body,
}: {
  store: Store;
  operation?: string;
  body?: unknown;
}): VNode {
  const operations = store.get().overview?.operations ?? [];
  const send = (values: FormData) =>
    void store.act(async () => {
      const wanted = readOverride(values);
      await mock.POST('/overrides', { body: wanted });
      return `The next ${wanted.times === 1 ? 'call' : 'calls'} of ${wanted.operation} will be answered so.`;
    });
  return html`<${Form} label=${operation === undefined ? 'Force an answer' : `Force an answer of ${operation}`} onSend=${send}>
    <label>Operation <select name="operation" value=${operation}>${operations.map((id) => html`<option key=${id} value=${id}>${id}</option>`)}</select></label>
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

function readOverride(values: FormData): Override {
  const numberOf = (name: string) => (textOf(values, name) === '' ? undefined : Number(textOf(values, name)));
  const [status, code, delay, times] = ['status', 'code', 'delay', 'times'].map(numberOf);
  const body = textOf(values, 'body');
  return {
    operation: textOf(values, 'operation'),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(delay !== undefined && { delay_ms: delay }),
    ...(times !== undefined && { times }),
    ...(body !== '' && { body: readJson(body) }),
  };
}

export function readJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw new Error(`that is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Those that wait, and the form. */
export function Answers({ store }: { store: Store }): VNode {
  const { stamp } = useStore(store);
  const { answer } = useAnswer('/overrides', stamp);
  const waiting = answer?.overrides ?? [];
  const clear = () =>
    void store.act(async () => {
      await mock.DELETE('/overrides');
      return 'No answer is forced any more.';
    });
  return html`<details class="card"><summary>Forced answers (${waiting.length})</summary>
    ${
      waiting.length > 0 &&
      html`<ul>${waiting.map((one, index) => html`<li key=${index}><code>${describe(one)}</code></li>`)}</ul>
      <button type="button" onClick=${clear}>Forget them</button>`
    }
    <${ForceForm} store=${store} />
  </details>`;
}

function describe({ operation, status, code, delay_ms: delay, times, body }: Override): string {
  const parts = [
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
    body !== undefined && 'a body of your own',
    delay !== undefined && `${delay} ms later`,
    times === undefined ? 'always' : `${times} more`,
  ];
  return `${operation}: ${parts.filter(Boolean).join(', ')}`;
}
