import { createHash } from 'node:crypto';
import { pagePolicy } from '../http/page-policy.ts';

interface PageParts {
  /** The module that starts the page. */
  entry: string;
  modules: readonly string[];
  /** The addresses of the libraries, by the names of their imports. */
  imports: Readonly<Record<string, string>>;
}

/** The page and its policy. All its addresses are relative, so that it works under any prefix. */
export function renderPage({ entry, modules, imports }: PageParts): { text: string; policy: string } {
  const importMap = JSON.stringify({ imports });
  const preloads = [...Object.values(imports), ...modules.map((name) => `./console/${name}`)]
    .map((url) => `<link rel="modulepreload" href="${url}">`)
    .join('\n');
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>sitepub console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./console/console.css">
<script type="importmap">${importMap}</script>
${preloads}
<script type="module" src="./console/${entry}"></script>
</head>
<body>
<div id="console"><main><h1>sitepub console</h1><p>Loading…</p></main></div>
<noscript><p>The console needs JavaScript; <code>sitepub requests</code> and <code>sitepub deliveries</code> show the same in a terminal.</p></noscript>
</body>
</html>
`;
  const digest = createHash('sha256').update(importMap).digest('base64');
  return { text, policy: pagePolicy({ script: `'sha256-${digest}'` }) };
}
