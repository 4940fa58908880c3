// Builds HTML from templates: inserted texts are escaped, inserted markup is not.
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

/** Joins pieces by line ends. */
export function join(pieces: readonly Markup[]): Markup {
  return { markup: pieces.map(({ markup }) => markup).join('\n') };
}

/** A text to be copied, in a box that scrolls. */
export function copyBlock(label: string, text: string): Markup {
  return html`<figure class="copy"><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}

/** The hash by which a Content-Security-Policy allows a script or a style. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
