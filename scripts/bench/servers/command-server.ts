// `sitepub mock` as a user starts it, in this process.
import { fileURLToPath } from 'node:url';
import type { Ready } from '../mock-command.ts';
import { serve } from '../serve.ts';

const sitepub = new URL('../../sitepub.mjs', import.meta.url);

const print = console.log;
console.log = (line: string) => {
  console.log = print;
  serve(JSON.parse(line) as Ready);
};
process.argv = [process.execPath, fileURLToPath(sitepub), 'mock', '--port', '0', '--json'];
await import(sitepub.href);
