// Builds HTML and XML. The `html` template escapes inserted texts, but not inserted markup.
import { createHash } from 'node:crypto';
import { visibleLines } from '../core/visible-text.ts';

export interface Markup {
  markup: string;
}

export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const filled = values.map((value) => (typeof value === 'object' ? value.markup : escapeXml(String(value))));
  return { markup: parts.map((part, index) => part + (filled[index] ?? '')).join('') };
}

export function join(pieces: readonly Markup[]): Markup {
  return { markup: pieces.map(({ markup }) => markup).join('\n') };
}

/** A text with a copy button, in a scrolling box. */
export function copyBlock(label: string, text: string): Markup {
  return html`<figure class="copy"><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}

/** The hash by which a Content-Security-Policy allows a script or a style. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** An attribute with a leading space. Escapes tabs and line feeds, because XML turns them into spaces in an attribute. */
export function attribute(name: string, value: string): string {
  const text = escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`);
  return ` ${name}="${text}"`;
}

/** Escapes a text for XML 1.0 or HTML, and replaces invisible characters and those that XML forbids. */
export function escapeXml(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
