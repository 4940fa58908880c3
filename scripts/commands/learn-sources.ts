// Reads what `sitepub discover` is given to read, a description and recordings, and learns how operations are called.
import { basename } from 'node:path';
import { createFetchText } from '../../contract-tests/learn/description/fetch-text.ts';
import { nameOfSource, readDescription } from '../../contract-tests/learn/description/read.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type Learning, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { harLimits } from '../../contract-tests/learn/recording/har-entries.ts';
import {
  type LearntRecording,
  learnRecordings,
} from '../../contract-tests/learn/recording/learn-recording.ts';
import { readHar } from '../../contract-tests/learn/recording/read-har.ts';
import { RecordingError } from '../../contract-tests/learn/recording/recorded-exchange.ts';
import { sayReadError } from '../../openapi/read-limited-text.ts';
import { visible } from '../../openapi/visible-text.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { UsageError } from '../options/usage-error.ts';

/** What the sources say of operations, beside what is known. Throws UsageError, and LearnError where an address can't be read. */
export async function learnFromSources(
  { openapi, recordings, baseUrl, connection, requestTimeoutMs, headers }: SourceOptions,
  known: Readonly<Record<string, unknown>>,
): Promise<Learning> {
  const recording = recordings.length > 0 ? readRecordings(recordings, baseUrl) : undefined;
  // A recording shows the base address where it is not given.
  const base = baseUrl ?? recording?.baseUrl;
  const reading = {
    basePath: base === undefined ? undefined : new URL(base).pathname.replace(/\/$/, ''),
    fetchText: createFetchText(connection, requestTimeoutMs),
  };
  const described = openapi === undefined ? [] : await readUsable(openapi, reading);
  const operations = [...described, ...(recording?.operations ?? [])];
  const learning = learnOperations(operations, { given: known, headers });
  for (const note of [...(recording?.notes ?? []), ...learning.notes]) console.error(visible(note));
  return learning;
}

/** What the sources are called in titles and messages. */
export function nameSources({ openapi, recordings }: SourceOptions): string {
  return [...(openapi === undefined ? [] : [openapi]), ...recordings].map(nameOfSource).join(' and ');
}

async function readUsable(openapi: string, reading: Parameters<typeof readDescription>[1]) {
  try {
    return await readDescription(openapi, reading);
  } catch (error) {
    if (!(error instanceof LearnError) || error.kind === 'unreachable') throw error;
    throw new UsageError(error.message);
  }
}

function readRecordings(files: readonly string[], baseUrl: string | undefined): LearntRecording {
  const names = files.map((file) => basename(file)).join(', ');
  try {
    const { notes, ...learnt } = learnRecordings(files.map(readFile), baseUrl);
    return { ...learnt, notes: notes.map((note) => `${names}: ${note}`) };
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(`--har ${names}: ${error.message}`);
    throw error;
  }
}

function readFile(file: string) {
  try {
    return readHar(file, basename(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`--har: ${file} can't be read (${sayReadError(error, harLimits.file)})`);
  }
}
