import { visibleLines } from '../core/visible-text.ts';

/** An attribute with a space before it. Tabs and line feeds are escaped, since XML replaces them in an attribute by spaces. */
export function attribute(name: string, value: string): string {
  const text = escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`);
  return ` ${name}="${text}"`;
}

/** A text for XML 1.0 or HTML: escaped, and without the characters that they do not allow or nobody sees. */
export function escapeXml(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
