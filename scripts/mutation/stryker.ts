// Calls Stryker twice: to list all mutants, and to try those that were drawn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { type Area, pathOf } from './areas.ts';
import { placeOf } from './draw.ts';
import type { Mutant } from './mutant.ts';

type Options = ConstructorParameters<typeof Stryker>[0];

/** Lists all mutants of an area, and tries none. */
export function listMutants({ files }: Area): Promise<Mutant[]> {
  return run({
    mutate: [...files],
    plugins: [pathOf('only-drawn.ts')],
    testRunner: 'command',
    commandRunner: { command: 'exit 0' },
  });
}

/** Mutants of an area with their results. One that timed out is tried again, since the machine may have been busy. */
export async function tryMutants(area: Area, drawn: readonly Mutant[]): Promise<Mutant[]> {
  const first = await tryOnce(area, drawn);
  const slow = first.filter(({ status }) => status === 'Timeout');
  if (slow.length === 0) return first;
  const second = await tryOnce(area, slow);
  return first.map((mutant) => second.find((other) => isSame(mutant, other)) ?? mutant);
}

async function tryOnce({ options }: Area, drawn: readonly Mutant[]): Promise<Mutant[]> {
  const places = new Set(drawn.map(placeOf));
  const plugins = [...(options.plugins as string[]), pathOf('only-drawn.ts')];
  const reporters = ['progress-append-only'];
  const results = await run({ ...options, plugins, reporters, mutate: [...places] });
  // A mutant between two drawn places, one within the other, was tried but is not in the sample.
  return results.filter((result) => places.has(placeOf(result)));
}

function isSame(one: Mutant, other: Mutant): boolean {
  return placeOf(one) === placeOf(other) && one.replacement === other.replacement;
}

async function run(options: Readonly<Record<string, unknown>>): Promise<Mutant[]> {
  // Outside of the repository, where Vitest would collect the tests of a copy too.
  const tempDirName = mkdtempSync(join(tmpdir(), 'sitepub-mutation-'));
  const common = { ignorers: ['only-drawn'], concurrency: 2, coverageAnalysis: 'perTest', logLevel: 'error' };
  const files = { tempDirName, ignorePatterns: ['dist', 'docs', '.node24', '*.tgz'] };
  try {
    const stryker = new Stryker({ reporters: [], ...common, ...files, ...options } as Options);
    const results = await stryker.runMutationTest();
    return results.map((result) => ({ ...result, fileName: pathInRepository(result.fileName) }));
  } finally {
    rmSync(tempDirName, { recursive: true, force: true });
  }
}

function pathInRepository(fileName: string): string {
  return relative('.', fileName).replaceAll(sep, '/');
}
