// Type-checks the TypeScript of README and docs as programs of their readers.
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const newestCompiler = join(root, 'node_modules/typescript-7/bin/tsc');

/** Compiler options for both ways of resolving modules. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
};

/** Writes every TypeScript block to a file: one folder for each page, and the name from the first line of the block, if any. */
export function writeBlocks(folder: string): string[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];
  const written = pages.flatMap((page) => {
    const home = join(folder, dirname(page), basename(page, '.md'));
    const text = readFileSync(join(root, page), 'utf8');
    return typeScriptBlocks(text).map((source, index) => {
      mkdirSync(home, { recursive: true });
      const [, name = `block-${index + 1}.ts`] = /^\/\/ ([\w.-]+\.ts)\n/.exec(source) ?? [];
      writeFileSync(join(home, name), source);
      return join(home, name);
    });
  });
  // All of them are ES modules; some use top-level await.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // The output of `sitepub types --out src/acme.ts` on the same page.
  copyFileSync(join(root, 'openapi/generated/types.ts'), join(folder, 'docs/reference/client/acme.ts'));
  return written;
}

function typeScriptBlocks(page: string): string[] {
  return [...page.matchAll(/^ *```(?:ts|tsx|mts|typescript)\b[^\n]*\n(.*?)^ *```/gms)].map(
    ([, text = '']) => text,
  );
}

interface Check {
  compiler: string;
  /** In addition to `strict`. */
  options: object;
}

/** Returns the errors; empty if there are none. */
export async function typeCheck(files: readonly string[], folder: string, { compiler, options }: Check) {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2023', types: ['node'], ...options };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  return (await runScript(compiler, ['--project', project, '--pretty', 'false'])).output;
}

/** Runs a Node script in the project folder. `output`: everything it has printed, or its failure. */
export async function runScript(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
) {
  const options = { cwd: root, env: { ...process.env, ...environment } };
  const { status, stdout, stderr } = await runProgram(process.execPath, [script, ...args], options);
  const failed = status !== 0;
  return { failed, output: stdout + stderr || (failed ? `exit ${status}` : '') };
}

/** The light programs need only the types of the package, without the types of Node. */
export const programOptions = {
  'light.ts': { lib: ['es2023', 'dom', 'dom.iterable'], skipDefaultLibCheck: true, types: [] },
  'heavy.ts': { lib: ['es2023'], skipLibCheck: true },
};

export const programs = {
  'light.ts': `
import { type EventName, version } from 'sitepub';
import { BusinessError, createClient } from 'sitepub/client';
import type { paths, WebhookEvent } from 'sitepub/types';
import { verifyWebhook } from 'sitepub/webhooks';

const client = createClient<paths>({ baseUrl: 'https://host/api/v1', apiKey: 'sp_1' });
const site: number | undefined = (await client.GET('/tenant/sites')).list[0]?.site_id;
const name: EventName = 'publish.complete';
const pages = (event: WebhookEvent) => (event.event === name ? event.data : undefined);
const codeOf = (error: unknown) => error instanceof BusinessError ? error.code : 0;
// @ts-expect-error: there is no such path
await client.GET('/tenant/nothing');
export { codeOf, pages, site, verifyWebhook, version };
`,
  'heavy.ts': `
import { startMock } from 'sitepub/mock';
import { createExpressHandler } from 'sitepub/webhooks/express';
import { fastifyWebhooks } from 'sitepub/webhooks/fastify';

const mock = await startMock({ clock: 'manual' });
const now: string = (await mock.control.advance('PT1M')).now;
// @ts-expect-error: there is no such clock
await startMock({ clock: 'fast' });
export { createExpressHandler, fastifyWebhooks, now };
`,
};
