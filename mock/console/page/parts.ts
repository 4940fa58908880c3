// Small parts that several views share. Whatever came from a peer is text to them.
import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { parseExactly, writeExactly } from './exact-json.ts';
import type { DeliveryNote, Store } from './store.ts';

/** What is given to each view. */
export interface ViewProps {
  store: Store;
  /** What is chosen in it, such as the number of a request. */
  chosen: string | undefined;
}

export function inputOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}

/** A form whose values are handed over as text when it is sent. */
export function Form({
  onSend,
  children,
  label,
}: {
  onSend: (values: FormData, form: HTMLFormElement) => void;
  children: ComponentChildren;
  label: string;
}): VNode {
  const send = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    onSend(new FormData(form), form);
  };
  return html`<form class="card form" aria-label=${label} onSubmit=${send}>${children}</form>`;
}

export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<button type="button" class="small" onClick=${copy}>${isCopied ? 'Copied' : label}</button>`;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers keep the clipboard from pages that are neither local nor by HTTPS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** JSON, or text as it is. */
export function Body({ value, label }: { value: unknown; label: string }): VNode | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? indent(value) : writeExactly(value, 2);
  return html`<h3>${label}</h3><pre tabindex="0" aria-label=${label}>${text || '(empty)'}</pre>` as VNode;
}

function indent(text: string): string {
  try {
    return writeExactly(parseExactly(text), 2);
  } catch {
    return text;
  }
}

export function Headers({
  headers,
  label,
}: {
  headers: Readonly<Record<string, string>>;
  label: string;
}): VNode {
  return html`<details><summary>${label} (${Object.keys(headers).length})</summary>
    <dl class="headers">${Object.entries(headers).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </details>`;
}

/** The time of day, as the terminal shows it. */
export function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

export function Empty({ children }: { children: ComponentChildren }): VNode {
  return html`<p class="empty">${children}</p>`;
}

export function Problem({ text }: { text: string | undefined }): VNode | null {
  return text === undefined ? null : html`<p class="bad">${text}</p>`;
}

export function Badge({ tone, children }: { tone: string; children: ComponentChildren }): VNode {
  return html`<span class="badge ${tone}">${children}</span>`;
}

export function StateBadge({ state }: Pick<DeliveryNote, 'state'>): VNode {
  const tone = { pending: 'warn', delivered: 'good', 'given-up': 'bad' }[state];
  return html`<${Badge} tone=${tone}>${state}<//>`;
}
