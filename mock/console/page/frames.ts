// What the views have in common: a list beside what is chosen in it, a log that can be searched, and a detail.
import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Empty, inputOf, Problem } from './parts.ts';

interface SplitProps {
  label: string;
  /** What is chosen, if anything is. */
  detail: ComponentChildren;
  children: ComponentChildren;
}

export function Split({ label, detail, children }: SplitProps): VNode {
  return html`<div class="split ${detail ? 'has-detail' : ''}">
    <section aria-label=${label}>${children}</section>
    ${detail}
  </div>`;
}

interface RowProps {
  /** Its place in the address, with the name of the view. */
  place: string;
  kind: string;
  isChosen: boolean;
  children: ComponentChildren;
}

/** A row of a list, which leads to its detail. */
export function Row({ place, kind, isChosen, children }: RowProps): VNode {
  return html`<li><a class="row ${kind}" href="#${place}" aria-current=${isChosen ? 'true' : undefined}>${children}</a></li>`;
}

interface DetailProps {
  title: string;
  /** The view that it is closed to. */
  back: string;
  error: string | undefined;
  children: ComponentChildren;
}

/** What is looked at in detail; its heading gets the focus, so that a screen reader goes on there. */
export function Detail({ title, back, error, children }: DetailProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return html`<section class="detail card" aria-label=${title}>
    <p class="close"><a href="#${back}">Close</a></p>
    <h2 tabindex="-1" ref=${heading}>${title}</h2>
    <${Problem} text=${error} />
    ${children}
  </section>`;
}

const mostRows = 200;

interface LogProps<Note> {
  notes: readonly Note[];
  /** The kinds that can be shown alone. */
  kinds: readonly string[];
  isOf: (note: Note, kind: string) => boolean;
  /** The texts of a note that are searched. */
  textsOf: (note: Note) => unknown[];
  row: (note: Note) => VNode;
  /** What is said besides how many are found. */
  remark?: string;
  /** What is said where there are no notes. */
  children: ComponentChildren;
}

/** The notes that are searched for, the newest first; the first of them are drawn until more are asked for. */
export function Log<Note>({ notes, kinds, isOf, textsOf, row, remark, children }: LogProps<Note>): VNode {
  const [text, setText] = useState('');
  const [kind, setKind] = useState('all');
  const [most, setMost] = useState(mostRows);
  const holds = (part: unknown) =>
    String(part ?? '')
      .toLowerCase()
      .includes(text.toLowerCase());
  const isFound = (note: Note) => (kind === 'all' || isOf(note, kind)) && textsOf(note).some(holds);
  const found = notes.filter(isFound).reverse();
  const left = found.length - most;
  return html`<div class="tools">
      <label>Search <input type="search" value=${text} onInput=${(event: Event) => setText(inputOf(event))} /></label>
      <label>Show <select value=${kind} onChange=${(event: Event) => setKind(inputOf(event))}>
        ${['all', ...kinds].map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
      </select></label>
      <p class="soft" role="status">${found.length} of ${notes.length}${remark}</p>
    </div>
    ${notes.length === 0 && html`<${Empty}>${children}<//>`}
    <ol class="rows">${found.slice(0, most).map(row)}</ol>
    ${left > 0 && html`<button type="button" onClick=${() => setMost(most + mostRows)}>Show ${Math.min(left, mostRows)} more of ${left}</button>`}` as VNode;
}
