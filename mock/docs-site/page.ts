/** The page; its script fills in the content. */
export function page(profile: string, prefix: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Site Publishing Service, profile ${escapeHtml(profile)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/style.css">
<script src="${prefix}/docs/redoc.js" defer></script>
<script src="${prefix}/docs/start.js" type="module"></script>
</head>
<body>
<noscript><p>The API reference needs JavaScript; the description itself is <a href="${prefix}/docs/openapi.json">openapi.json</a>.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;
}

/** A separate file, since the policy forbids inline scripts. Lists of requirements are joined, since Redoc shows a list as JSON. */
export function script(prefix: string): string {
  return `const options = {
  sortRequiredPropsFirst: true,
  expandResponses: '200,201,202,2XX',
  showExtensions: ['x-gap', 'x-requirement'],
  downloadUrls: [{ title: 'openapi.json', url: '${prefix}/docs/openapi.json' }],
  theme: { typography: { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' } } },
};
const text = await (await fetch('${prefix}/docs/openapi.json')).text();
const join = (key, value) => (key === 'x-requirement' ? value.join(', ') : value);
const description = JSON.parse(text, join);
delete description.info.contact;
Redoc.init(description, options, document.getElementById('reference'));
`;
}

export const style = `body { margin: 0; font-family: system-ui, sans-serif; }
noscript p { padding: 2rem; }
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
