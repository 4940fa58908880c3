// Bundles the commands that start a mock, with Fastify: a few files are found and read in half the time of four hundred. And what writes types, with its TypeScript (decision 023).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';

const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** The others are run from where they are built. */
const bundledCommands = /\/(mock|exec)\.js$/;

/** With all that they need themselves. Other libraries are loaded when they are needed, from where they are installed. */
const bundledLibraries = ['fastify', 'fastest-levenshtein'];

/** Fastify asks for them only to compile schemas, and to log. */
const unusedLibraries = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino'];

/** Writes `command/` beside what was built. */
export async function bundleCommand(dist: string): Promise<void> {
  const folder = join(dist, 'command');
  const bundle = await rolldown({
    input: join(dist, 'scripts/cli.js'),
    platform: 'node',
    resolve: { modules: ['node_modules', nodeModules] },
    external: unusedLibraries,
    plugins: [leaveOut(dist), keepPlaces(dist, folder)],
  });
  // Names stay: messages and stack traces show them.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
  const written = await bundle.write({ dir: folder, minify });
  writeFileSync(join(folder, 'third-party-licences.txt'), licencesIn(written));
}

/** Puts openapi-typescript and its TypeScript, of a major version that projects may not have, into the module that uses them. */
export async function bundleTypes(dist: string): Promise<void> {
  const folder = join(dist, 'scripts/generate');
  const input = join(folder, 'generate-types.js');
  const bundle = await rolldown({
    input,
    platform: 'node',
    resolve: { modules: ['node_modules', nodeModules] },
    external: (id, importer) => importer === input && id.startsWith('.'),
    // TypeScript asks where it is, to find files that are not needed here.
    transform: { define: { __filename: '"typescript.js"', __dirname: '"."' } },
  });
  const written = await bundle.write({ dir: folder, minify: true, codeSplitting: false });
  writeFileSync(join(folder, 'third-party-licences.txt'), licencesIn(written));
}

function leaveOut(dist: string): Plugin {
  const commandLine = join(dist, 'scripts/command-line.js');
  return {
    name: 'leave-out',
    resolveId(id, importer) {
      if (!importer?.startsWith(dist + sep)) return null;
      if (importer === commandLine && /^\.\/(commands|mcp|steer)\//.test(id) && !bundledCommands.test(id))
        return { id: id.replace('.', '../scripts'), external: true };
      const isLibrary = /^[@\w]/.test(id) && !bundledLibraries.includes(id);
      return isLibrary ? { id, external: true } : null;
    },
  };
}

/** Modules find their data beside the place where they were built. */
function keepPlaces(dist: string, folder: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const place = relative(folder, id).split(sep).join('/');
      const isOwn = id.startsWith(dist + sep);
      return isOwn ? code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`) : null;
    },
  };
}

function licencesIn({ output }: RolldownOutput): string {
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const folders = modules.flatMap(
    (id) => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
  );
  return [...new Set(folders)].sort().map(licenceOf).join('\n\n');
}

/** Some packages name their licence, and bring no text of it. */
function licenceOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined
      ? `By ${author?.name ?? author ?? 'its authors'}.`
      : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
