import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { parseExactly } from './exact-json.ts';
import { act } from './store.ts';

interface ActProps {
  /** Returns the text of the notice, unless `said` is it. */
  work: () => Promise<unknown>;
  said?: string;
  children: ComponentChildren;
  [attribute: string]: unknown;
}

export function Act({ work, said, children, ...attributes }: ActProps) {
  const run = async () => {
    const answer = await work();
    return said ?? String(answer);
  };
  return html`<button type="button" ...${attributes} onClick=${() => void act(run)}>${children}</button>`;
}

interface FormProps {
  label: string;
  /** Returns the text of the notice, if any. */
  work: (values: FormData) => Promise<string | undefined>;
  children: ComponentChildren;
}

export function Form({ label, work, children }: FormProps) {
  const send = (event: Event) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget as HTMLFormElement);
    void act(() => work(values));
  };
  return html`<form class="card form" aria-label=${label} onSubmit=${send}>${children}</form>`;
}

interface ChoiceProps {
  label: string;
  options: readonly string[];
  [attribute: string]: unknown;
}

export function Choice({ label, options, ...attributes }: ChoiceProps) {
  return html`<label>${label} <select ...${attributes}>
    ${options.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
  </select></label>`;
}

export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns undefined for an empty field; throws an Error if the text is not JSON. */
export function jsonOf(values: FormData, name: string): unknown {
  const text = textOf(values, name);
  try {
    return text === '' ? undefined : parseExactly(text);
  } catch (error) {
    throw new Error(`not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
