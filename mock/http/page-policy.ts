/** The Content-Security-Policy of a page that may load from this mock alone, and send to nothing else. `more` are further sources. */
export function pagePolicy(more: { script?: string | undefined; style?: string | undefined } = {}): string {
  const own = (source = '') => `'self' ${source}`.trim();
  return [
    "default-src 'none'",
    `script-src ${own(more.script)}`,
    `style-src ${own(more.style)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
