// Bundles the built files: loading a few files takes a third of the time of nine hundred. `sitepub types` is bundled with its TypeScript (decision 023).
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { bundlePage } from '../mock/console/bundle-page.ts';
import packageJson from '../package.json' with { type: 'json' };

const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** Bundled with their dependencies. Other libraries are loaded from node_modules on demand. */
const bundledLibraries = ['fastify'];

/** Fastify needs them only to compile schemas and to log. */
const unusedLibraries = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino'];

/** Modules that are loaded by path: the command line, the thread of a run, and the exports of the package. */
function entriesOf(dist: string): Record<string, string> {
  const exported = Object.values(packageJson.exports).flatMap((each) =>
    typeof each === 'object' ? [each.default.replace('./dist/', '')] : [],
  );
  const names = ['cli/cli.js', 'contract-tests/run/suite-thread.js', ...exported];
  return Object.fromEntries(names.map((name) => [name.replace(/\.js$/, ''), join(dist, name)]));
}

/** Replaces the built files by the entries, with shared code in `shared/`. */
export async function bundlePackage(dist: string): Promise<void> {
  const types = await bundleTypes(dist);
  const page = await bundlePage();
  const bundle = await rolldown({
    input: entriesOf(dist),
    platform: 'node',
    resolve: { modules: ['node_modules', nodeModules] },
    external: unusedLibraries,
    plugins: [leaveLibraries(dist), getBuiltins(dist), rewritePlaces(dist)],
  });
  const { output } = await bundle.write({
    dir: dist,
    chunkFileNames: 'shared/[name]-[hash].js',
    // Names stay, because messages and stack traces show them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  const written = new Set(output.map(({ fileName }) => join(dist, fileName)));
  for (const file of globSync(join(dist, '**/*.js'))) if (!written.has(file)) rmSync(file);
  writeFileSync(join(dist, 'mock/console/page/console.js'), page.output[0].code);
  writeFileSync(join(dist, 'third-party-licences.txt'), licencesIn([types, page, { output }]));
}

/** Bundles openapi-typescript with its TypeScript, because projects may have another major version. */
async function bundleTypes(dist: string): Promise<RolldownOutput> {
  const folder = join(dist, 'cli/types');
  const input = join(folder, 'generate-types.js');
  const bundle = await rolldown({
    input,
    platform: 'node',
    resolve: { modules: ['node_modules', nodeModules] },
    external: (id, importer) => importer === input && id.startsWith('.'),
    // TypeScript uses these only to find files that are not needed here.
    transform: { define: { __filename: '"typescript.js"', __dirname: '"."' } },
  });
  return bundle.write({ dir: folder, minify: true, codeSplitting: false });
}

function leaveLibraries(dist: string): Plugin {
  return {
    name: 'leave-libraries',
    resolveId(id, importer) {
      const isLibrary = /^[@\w]/.test(id) && !bundledLibraries.includes(id);
      return importer?.startsWith(dist + sep) && isLibrary ? { id, external: true } : null;
    },
  };
}

/** An ES import reads every member of a built-in module, which can load more modules: node:http would load all of `fetch`. */
function getBuiltins(dist: string): Plugin {
  const form = /^import (\w+|\{[^}]*\}) from '(node:[\w/]+)';$/gm;
  const get = (_: string, names: string, module: string) =>
    `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule('${module}');`;
  return {
    name: 'get-builtins',
    transform: (code, id) => (id.startsWith(dist + sep) ? code.replace(form, get) : null),
  };
}

/** Modules find their data relative to where they were built. */
function rewritePlaces(dist: string): Plugin {
  return {
    name: 'rewrite-places',
    transform(code, id) {
      const place = relative(dist, id).split(sep).join('/');
      return id.startsWith(dist + sep) ? code.replaceAll('import.meta.url', `__placeOf("${place}")`) : null;
    },
    renderChunk(code, { fileName }) {
      const placed = code.replace(/\b__placeOf\("([^"]+)"\)/g, (_, place: string) => {
        const path = relative(dirname(fileName), place).split(sep).join('/');
        return `new URL("${path}", import.meta.url).href`;
      });
      if (placed.includes('__placeOf')) throw new Error(`a place is left unwritten in ${fileName}`);
      return placed;
    },
  };
}

function licencesIn(bundles: readonly Pick<RolldownOutput, 'output'>[]): string {
  const parts = bundles.flatMap(({ output }) => output);
  const modules = parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const folders = modules.flatMap(
    (id) => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
  );
  return [...new Set(folders)].sort().map(licenceOf).join('\n\n');
}
/** Some packages name their licence without including its text. */
function licenceOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined
      ? `By ${author?.name ?? author ?? 'its authors'}.`
      : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
