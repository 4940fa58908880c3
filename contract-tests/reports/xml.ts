import { visibleLines } from '../core/visible-text.ts';

/** An attribute with a leading space. Escapes tabs and line feeds, because XML turns them into spaces in an attribute. */
export function attribute(name: string, value: string): string {
  const text = escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`);
  return ` ${name}="${text}"`;
}

/** Escapes a text for XML 1.0 or HTML, and replaces invisible characters and those that XML forbids. */
export function escapeXml(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
