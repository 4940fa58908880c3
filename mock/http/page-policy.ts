/** The Content-Security-Policy of a page that may load from this mock alone, and send to nothing else. `style`: a further source of styles. */
export function pagePolicy({ style }: { style?: string | undefined } = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", style].filter(Boolean).join(' '),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
