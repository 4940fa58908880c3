import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The comment by which editors complete and check a file that is written here; its schema lies where npm has installed the package. */
export function schemaLine(name: 'config' | 'profile', file: string): string {
  const folder = dirname(resolve(file));
  const schema = join(homeOf(folder), 'node_modules/sitepub/schemas', `${name}.json`);
  const path = relative(folder, schema).split(sep).join('/');
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}`;
}

/** The nearest folder that sitepub is installed in, else the working directory. */
function homeOf(folder: string): string {
  if (existsSync(join(folder, 'node_modules/sitepub'))) return folder;
  return dirname(folder) === folder ? process.cwd() : homeOf(dirname(folder));
}
