// The mock as a process of its own, under more than it may keep.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../scripts/sitepub.mjs', import.meta.url));
const mostMegabytes = 400;

interface Ready {
  base_url: string;
  control_url: string;
  pid: number;
  tenants: { api_key: string }[];
}

async function startProcess(): Promise<Ready> {
  const child = spawn(process.execPath, [program, 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Ready;
  throw new Error('the mock has ended');
}

/** What a process takes now, and the most that it has ever taken. */
function readMegabytes(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1000;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

function post(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-length': Buffer.byteLength(body), ...headers } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** Sends a number of requests, four at a time, and returns the statuses of their answers. */
async function flood(count: number, send: (index: number) => Promise<number>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let index = 0;
  const sendNext = async () => {
    while (index < count) statuses.add(await send(index++));
  };
  await Promise.all([sendNext(), sendNext(), sendNext(), sendNext()]);
  return statuses;
}

const subscription = { url: '', events: ['comment.created'], channel: 'custom' };

test.runIf(process.platform === 'linux')(
  '10,000 messages of 1 MiB and 5,000 comments of 1 MB, each pushed to an inbox, fit into 400 MB',
  { timeout: 900_000 },
  async () => {
    const { base_url: baseUrl, control_url: controlUrl, pid, tenants } = await startProcess();
    const message = Buffer.alloc(1_048_576, 'x');
    const sent = await flood(10_000, (index) => post(`${controlUrl}/inbox/box-${index % 20}`, message));
    const afterMessages = readMegabytes(pid);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${tenants[0]?.api_key}`,
    };
    const target = JSON.stringify({ ...subscription, url: `${controlUrl}/inbox/comments` });
    const subscribed = await post(`${baseUrl}/tenant/sites/101/webhooks`, target, headers);
    const comments = ['x'.repeat(1_000_000), '漢'.repeat(333_000)].map((text) =>
      JSON.stringify({ author: 'a', text }),
    );
    const written = await flood(5_000, (index) =>
      post(`${baseUrl}/sites/101/comments`, comments[index % 2] ?? '', headers),
    );
    const afterComments = readMegabytes(pid);
    console.log({ afterMessages, afterComments });
    expect([sent, subscribed, written]).toEqual([new Set([200]), 200, new Set([200])]);
    const { kept } = (await (await fetch(`${controlUrl}/health`)).json()) as { kept: Record<string, Kept> };
    console.log(kept);
    for (const { bytes, bound } of Object.values(kept)) expect(bytes).toBeLessThanOrEqual(bound);
    expect(afterMessages.now).toBeLessThan(mostMegabytes);
    expect(afterComments.now).toBeLessThan(mostMegabytes);
  },
);

interface Kept {
  bytes: number;
  bound: number;
}
