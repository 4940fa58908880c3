// What the CPU time of the processes of a run is spent on: `npm run bench -- --profiles FOLDER`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A part of the profiles that `node --cpu-prof` writes: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

const extension = '.cpuprofile';

/** Has each process that is started from now on write a profile into the folder when it ends. */
export function writeProfilesTo(folder: string): void {
  const options = [process.env.NODE_OPTIONS ?? [], '--cpu-prof', `--cpu-prof-dir=${folder}`].flat();
  process.env.NODE_OPTIONS = options.join(' ');
}

/** What the processes of the folder spent most on, as lines of text; the busiest process first. */
export function describeProfiles(folder: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith(extension));
  return files
    .map((file) => shareTime(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile))
    .sort((one, other) => other.busyMs - one.busyMs)
    .map(({ name, busyMs, shares }) => {
      const parts = shares.filter(({ share }) => share >= 0.01);
      const lines = parts.map(({ what, share }) => `  ${(share * 100).toFixed(0).padStart(3)} %  ${what}`);
      return [`${name}, ${Math.round(busyMs)} ms`, ...lines].join('\n');
    })
    .join('\n');
}

interface Shares {
  /** The module that the process was started with. */
  name: string;
  busyMs: number;
  /** Of the time that is not idle, the largest first. */
  shares: { what: string; share: number }[];
}

export function shareTime({ nodes, samples, timeDeltas }: CpuProfile): Shares {
  const labels = new Map(nodes.map(({ id, callFrame }) => [id, labelOf(callFrame)]));
  const micros = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const label = labels.get(id);
    if (label !== undefined) micros.set(label, (micros.get(label) ?? 0) + (timeDeltas[at] ?? 0));
  }
  const busy = [...micros.values()].reduce((sum, one) => sum + one, 0);
  const shares = [...micros].map(([what, spent]) => ({ what, share: spent / busy }));
  return {
    name: nameOf(nodes),
    busyMs: busy / 1000,
    shares: shares.sort((one, other) => other.share - one.share),
  };
}

const root = new URL('../..', import.meta.url);
const writes = /^(write|writev|writeUtf8String|writeLatin1String|writeAsciiString|writeBuffer)$/;
const http = /^node:(_http|http|net$|_stream|stream|internal\/(stream|http|js_stream))/;

/** What a function belongs to; undefined where nothing runs. */
function labelOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string | undefined {
  if (functionName === '(idle)' || functionName === '(root)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'Node outside of JavaScript';
  if (url === '') return writes.test(functionName) ? 'system calls that write' : `native: ${functionName}`;
  if (url.startsWith('node:')) return http.test(url) ? "Node's HTTP and streams" : `Node: ${url.slice(5)}`;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) return `package ${name}`;
  const path = pathOf(url).split('/');
  return path.slice(0, Math.max(1, Math.min(2, path.length - 1))).join('/');
}

function nameOf(nodes: CpuProfile['nodes']): string {
  const paths = new Set(nodes.map(({ callFrame }) => pathOf(callFrame.url)));
  const starts = [/^scripts\/bench\/servers\//, /^scripts\/cli\.ts$/, /cli\.m?js$/, /prism/];
  const [name] = starts.flatMap((start) => [...paths].filter((path) => start.test(path)));
  return name ?? 'another process';
}

/** Relative to the checkout, where it is in it. */
function pathOf(url: string): string {
  if (url.startsWith(root.href)) return url.slice(root.href.length);
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const folder = fileURLToPath(root);
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
