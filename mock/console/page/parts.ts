// Security: text from peers is rendered as text, never as HTML.
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { parseExactly, writeExactly } from './exact-json.ts';
import type { DeliveryNote } from './store.ts';

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
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

/** Browsers offer the clipboard API only to pages that are local or served by HTTPS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

export function Body({ value, label }: { value: unknown; label: string }) {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? indent(value) : writeExactly(value, 2);
  return html`<h3>${label}</h3><pre tabindex="0" aria-label=${label}>${text || '(empty)'}</pre>`;
}

function indent(text: string): string {
  try {
    return writeExactly(parseExactly(text), 2);
  } catch {
    return text;
  }
}

type Texts = Readonly<Record<string, string>>;

export function Headers({ headers, label }: { headers: Texts; label: string }) {
  return html`<details><summary>${label} (${Object.keys(headers).length})</summary>
    <${Pairs} kind="headers" pairs=${headers} />
  </details>`;
}

export function Pairs({ kind, pairs }: { kind: string; pairs: Texts }) {
  return html`<dl class=${kind}>${Object.entries(pairs).map(
    ([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** The time of day to the millisecond, as in the terminal. */
export function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

export function counted(count: number, what: string, plural = `${what}s`): string {
  return `${count} ${count === 1 ? what : plural}`;
}

export function Badge({ tone, children }: { tone: string; children: ComponentChildren }) {
  return html`<span class="badge ${tone}">${children}</span>`;
}

export function StateBadge({ state }: Pick<DeliveryNote, 'state'>) {
  const tone = { pending: 'warn', delivered: 'good', 'given-up': 'bad' }[state];
  return html`<${Badge} tone=${tone}>${state}<//>`;
}
