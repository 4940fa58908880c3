// Makes a mistake with the real command line.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../contract-tests/reports/report.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../../testing.ts';
import type { Mistake, PlaceName, Scene } from './mistake.ts';
import { freePort, openBlackHole, openPage, openSilent, openTls, type Place, takePort } from './places.ts';

interface Trial {
  status: number | null;
  /** What stands on the terminal, without the line ends. */
  lines: string[];
  ms: number;
  /** Undefined where the run wrote none. */
  report: Report | undefined;
  /** How many requests of the run the deployment took as a success that creates something. */
  created: number;
}

/** The places that mistakes lead to, and the command line. */
export async function openScene() {
  const command = openCommand();
  const places: Record<PlaceName, Place> = {
    tls: await openTls(),
    page: await openPage(200, '<!doctype html><title>A website</title>'),
    gateway: await openPage(502, '<html>Bad Gateway</html>'),
    redirect: await openPage(308, '', { location: 'https://elsewhere.example/' }),
    taken: await takePort(),
    basic: await openPage(401, 'Authorization Required', { 'www-authenticate': 'Basic realm="staging"' }),
    firewall: await openPage(403, '<html><title>Access denied</title>'),
    maintenance: await openPage(503, '<html>We are back soon</html>'),
    portal: await openPage(302, '', { location: 'https://login.hotel.example/welcome' }),
    busy: await openPage(429, 'Too many requests', { 'retry-after': '30' }),
    blackHole: await openBlackHole(),
    silent: await openSilent(),
  };
  const ports = { closed: await freePort(), ...portsOf(places) };
  return {
    make: (mistake: Mistake) => tryMistake(mistake, command, ports),
    close: async () => {
      command.remove();
      await Promise.all(Object.values(places).map(({ close }) => close()));
    },
  };
}

function portsOf<Name extends string>(places: Record<Name, Place>): Record<Name, number> {
  const ports = Object.entries<Place>(places).map(([name, { port }]) => [name, port] as const);
  return Object.fromEntries(ports) as Record<Name, number>;
}

async function tryMistake(
  { spoken, before, flags, environment }: Mistake,
  { folder: parent, run }: ReturnType<typeof openCommand>,
  ports: Scene['ports'],
): Promise<Trial> {
  await using mock = await openMock(spoken);
  const folder = mkdtempSync(join(parent, 'mistake-'));
  const scene = { mock, folder, ports };
  await before?.(scene);
  const path = join(folder, 'report.json');
  const given: Record<string, string | undefined> = {
    ...{ 'base-url': mock.baseUrl, profile: spoken ?? 'default', report: `json=${path}` },
    ...flags?.(scene),
  };
  const args = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const count = () => requestsOf(mock).filter(isCreation).length;
  const since = performance.now();
  const all = { ...credentialsOf(mock), ...environment?.(scene) };
  const { status, stdout, stderr } = await run(['test', ...args], all);
  const ms = performance.now() - since;
  return {
    status,
    ms,
    lines: `${stdout}${stderr}`.trimEnd().split('\n'),
    report: existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined,
    created: count(),
  };
}

/** The requirements that a report says anything else of than that it could not be verified. */
export function verdictsIn(report: Report | undefined): string[] {
  const told = report?.requirements.filter(({ outcome }) => outcome !== 'not-verified') ?? [];
  return told.map(({ id, outcome }) => `${id} ${outcome}`);
}

function isCreation({ operation, code }: { operation?: string; code?: number | undefined }): boolean {
  return code === 0 && /^(create|import|publish|submit|update|delete)/.test(operation ?? '');
}
