// Reads what `sitepub discover` is given to read, a description and recordings, and learns how operations are called.
import { basename } from 'node:path';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { nameOfSource, readDescription } from '../../contract-tests/learn/description/read.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type Learning, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { learnRecordings } from '../../contract-tests/learn/recording/learn-recordings.ts';
import { readHar } from '../../contract-tests/learn/recording/read-har.ts';
import type { SourceOptions } from '../options/discover-options.ts';
import { UsageError } from '../options/usage-error.ts';

/** What the sources say of operations, beside what is known. Throws UsageError, and SourceUnreachable where an address can't be read. */
export async function learnFromSources(
  options: SourceOptions,
  known: Readonly<Record<string, unknown>>,
): Promise<Learning> {
  const { operations, notes } = await readSources(options).catch((error: unknown) => {
    if (!(error instanceof LearnError)) throw error;
    throw new UsageError(error.message);
  });
  const learning = learnOperations(operations, { given: known, headers: options.headers });
  for (const note of [...notes, ...learning.notes]) console.error(visible(note));
  return learning;
}

/** What the sources are called in titles and messages. */
export function nameSources({ openapi, recordings }: SourceOptions): string {
  return [...(openapi === undefined ? [] : [openapi]), ...recordings].map(nameOfSource).join(' and ');
}

async function readSources({ openapi, recordings, baseUrl, connection, requestTimeoutMs }: SourceOptions) {
  const exchanges = recordings.flatMap((file) => readHar(file, basename(file)));
  const recording = recordings.length > 0 ? learnRecordings(exchanges, baseUrl) : undefined;
  // A recording shows the base address where it is not given.
  const base = baseUrl ?? recording?.baseUrl;
  const basePath = base === undefined ? undefined : new URL(base).pathname.replace(/\/$/, '');
  const way = { basePath, connection, requestTimeoutMs };
  const described = openapi === undefined ? [] : await readDescription(openapi, way);
  const names = recordings.map((file) => basename(file)).join(', ');
  const notes = (recording?.notes ?? []).map((note) => `${names}: ${note}`);
  return { operations: [...described, ...(recording?.operations ?? [])], notes };
}
