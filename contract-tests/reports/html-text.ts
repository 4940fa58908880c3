// HTML that is put together from texts: what is filled in is escaped, unless it is markup itself.
import { createHash } from 'node:crypto';
import { escapeXml } from './xml.ts';

/** A piece of HTML. */
export interface Markup {
  markup: string;
}

/** A piece of HTML from a template. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const filled = values.map((value) => (typeof value === 'object' ? value.markup : escapeXml(String(value))));
  return { markup: parts.map((part, index) => part + (filled[index] ?? '')).join('') };
}

/** Pieces one after the other. */
export function join(pieces: readonly Markup[]): Markup {
  return { markup: pieces.map(({ markup }) => markup).join('\n') };
}

/** A text to be copied; it scrolls in its own box. */
export function copyBlock(label: string, text: string): Markup {
  return html`<figure class="copy"><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}

/** What a Content-Security-Policy knows a script or a style by. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
