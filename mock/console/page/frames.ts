import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Choice } from './forms.ts';

/** `chosen` is the key of the selected row, such as the number of a request. */
export interface ViewProps {
  chosen: string | undefined;
}

interface SplitProps {
  label: string;
  detail: ComponentChildren;
  children: ComponentChildren;
}

export function Split({ label, detail, children }: SplitProps) {
  return html`<div class="split ${detail ? 'has-detail' : ''}">
    <section aria-label=${label}>${children}</section>
    ${detail}
  </div>`;
}

interface RowProps {
  /** The URL fragment, with the name of the view: `requests/7`. */
  place: string;
  kind: string;
  children: ComponentChildren;
}

export function Row({ place, kind, children }: RowProps) {
  const isChosen = location.hash === `#${place}`;
  return html`<li><a class="row ${kind}" href="#${place}" aria-current=${isChosen ? 'true' : undefined}>${children}</a></li>`;
}

interface DetailProps {
  title: string;
  back: string;
  error: string | undefined;
  children: ComponentChildren;
}

/** Focuses the heading, so that a screen reader continues there. */
export function Detail({ title, back, error, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return html`<section class="detail card" aria-label=${title}>
    <p class="close"><a href="#${back}">Close</a></p>
    <h2 tabindex="-1" ref=${heading}>${title}</h2>
    ${error && html`<p class="bad">${error}</p>`}
    ${children}
  </section>`;
}

interface SearchProps {
  label: string;
  text: string;
  onText: (text: string) => void;
}

export function Search({ label, text, onText }: SearchProps) {
  return html`<label>${label} <input type="search" value=${text} onInput=${(event: Event) => onText(inputOf(event))} /></label>`;
}

function inputOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement | HTMLSelectElement).value;
}

const mostRows = 200;

interface LogProps<Note> {
  notes: readonly Note[];
  kinds: readonly string[];
  kindsOf: (note: Note) => unknown[];
  textsOf: (note: Note) => unknown[];
  row: (props: { note: Note }) => VNode;
  /** Follows the number of found notes. */
  remark?: string;
  children: ComponentChildren;
}

/** Shows the newest notes first, and more on demand. */
export function Log<Note extends { id: number }>(props: LogProps<Note>) {
  const { notes, kinds, kindsOf, textsOf, row, remark, children } = props;
  const [text, setText] = useState('');
  const [kind, setKind] = useState('all');
  const [most, setMost] = useState(mostRows);
  const hasText = (note: Note) => textsOf(note).join('\n').toLowerCase().includes(text.toLowerCase());
  const isOfKind = (note: Note) => kind === 'all' || kindsOf(note).includes(kind);
  const found = notes.filter((note) => isOfKind(note) && hasText(note)).reverse();
  const left = found.length - most;
  return html`<div class="tools">
      <${Search} label="Search" text=${text} onText=${setText} />
      <${Choice} label="Show" options=${['all', ...kinds]} value=${kind} onChange=${(event: Event) => setKind(inputOf(event))} />
      <p class="soft" role="status">${found.length} of ${notes.length}${remark}</p>
    </div>
    ${notes.length === 0 && html`<p class="empty">${children}</p>`}
    <ol class="rows">${found.slice(0, most).map((note) => html`<${row} key=${note.id} note=${note} />`)}</ol>
    ${left > 0 && html`<button type="button" onClick=${() => setMost(most + mostRows)}>Show ${Math.min(left, mostRows)} of ${left} more</button>`}`;
}
