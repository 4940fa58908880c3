interface PageOptions {
  profile: string;
  nonce: string;
  /** The path before `/docs`, empty at the root. */
  prefix: string;
}

/** An empty page that the script fills. */
export function page({ profile, nonce, prefix }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<meta name="color-scheme" content="light dark">
<title>Site Publishing Service, profile ${escapeHtml(profile)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/style.css">
<script src="${prefix}/docs/start.js" type="module"></script>
</head>
<body>
<noscript><p>The API reference needs JavaScript. Without it, read the description: <a href="${prefix}/docs/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;
}

/** The CSP forbids inline code: style elements of the viewer get the nonce, and style attributes are set through the CSSOM. */
export function script(apiKey: string | undefined, prefix: string): string {
  return `const { content: nonce } = document.querySelector('meta[property=csp-nonce]');
const { createElement } = Document.prototype;
Document.prototype.createElement = function (...words) {
  const element = createElement.apply(this, words);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style' && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...innerHTML,
  set(html) {
    innerHTML.set.call(this, String(html).replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\\sstyle=/i, ' data-style=')));
    for (const element of (this.content ?? this).querySelectorAll('[data-style]')) {
      element.style.cssText = element.dataset.style;
      element.removeAttribute('data-style');
    }
  },
});
// The CSP forbids eval, which Zod uses to test whether it may compile schemas.
globalThis.__zod_globalConfig = { jitless: true };
await import('${prefix}/docs/scalar.js');
const securitySchemes = { apiKey: { token: ${JSON.stringify(apiKey ?? '')} } };
Scalar.createApiReference('#reference', {
  url: '${prefix}/docs/shown.json',
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes },
  // These features send data to other hosts or link to them.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The viewer would offer the description with the marks in its texts.
  documentDownloadType: 'none',
  persistAuth: false,
});
`;
}

export const style = `body { margin: 0; font-family: system-ui, sans-serif; }
noscript p { padding: 2rem; }
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
