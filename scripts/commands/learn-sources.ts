// Reads what `sitepub learn` learns from: descriptions and recordings.
import { basename } from 'node:path';
import type { DescribedOperation } from '../../contract-tests/learn/described-operation.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type Learning, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { createFetchText } from '../../contract-tests/learn/openapi/fetch-text.ts';
import { nameOfSource, readDescription } from '../../contract-tests/learn/openapi/read-description.ts';
import { digestOfRecording } from '../../contract-tests/learn/recording/digest-of-recording.ts';
import { harLimits } from '../../contract-tests/learn/recording/har-entries.ts';
import {
  type LearntRecording,
  learnRecordings,
} from '../../contract-tests/learn/recording/learn-recording.ts';
import { type ReadHar, readHar } from '../../contract-tests/learn/recording/read-har.ts';
import { RecordingError } from '../../contract-tests/learn/recording/recorded-exchange.ts';
import { sayReadError } from '../../openapi/read-limited-text.ts';
import { visible } from '../../openapi/visible-text.ts';
import type { LearnOptions, Source } from '../options/learn-options.ts';
import { UsageError } from '../options/usage-error.ts';

interface SourcesRead {
  operations: DescribedOperation[];
  /** Sentences for people: what of the recordings was taken, and what was left out. */
  notes: string[];
  /** The recorded operations, a line each. Neither has secrets, nor characters that a terminal obeys. */
  digest: string[];
}

/** What the sources say of operations, beside what is known; undefined where an address can't be read, which is said. Throws UsageError. */
export async function learnFromSources(
  reading: LearnOptions,
  known: Readonly<Record<string, unknown>>,
): Promise<Learning | undefined> {
  try {
    const { operations, notes, digest } = await readSources(reading);
    for (const line of [...notes, ...digest]) console.error(line);
    const learning = learnOperations(operations, { given: known, headers: reading.headers });
    for (const note of learning.notes) console.error(visible(note));
    return learning;
  } catch (error) {
    if (!(error instanceof LearnError)) throw error;
    console.error(`sitepub: ${visible(error.message)}`);
    return undefined;
  }
}

/** Throws UsageError for what can't be used, and LearnError where an address can't be read. */
async function readSources(reading: LearnOptions): Promise<SourcesRead> {
  const files = reading.sources.filter(({ kind }) => kind === 'har').map(readFile);
  const recording = files.length > 0 ? learnFiles(files, reading) : undefined;
  const described = await readDescriptions(reading, recording);
  const recorded = recording?.operations ?? [];
  return {
    operations: [...described, ...recorded],
    notes: (recording?.notes ?? []).map(visible),
    digest: digestOfRecording(recorded).map(visible),
  };
}

/** What the sources are called in titles and messages. */
export function nameSources(sources: readonly Source[]): string {
  return sources.map(({ source }) => nameOfSource(source)).join(' and ');
}

interface RecordingFile extends ReadHar {
  name: string;
}

function readFile({ source }: Source): RecordingFile {
  const name = visible(basename(source));
  try {
    return { ...readHar(source, name), name };
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(visible(`--har ${source}: ${error.message}`));
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`--har: ${visible(source)} can't be read (${sayReadError(error, harLimits.file)})`);
  }
}

function learnFiles(files: readonly RecordingFile[], { baseUrl }: LearnOptions): LearntRecording {
  const names = files.map(({ name }) => name).join(', ');
  try {
    const { notes, ...learnt } = learnRecordings(files, baseUrl);
    return { ...learnt, notes: notes.map((note) => `${names}: ${note}`) };
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(visible(`--har ${names}: ${error.message}`));
    throw error;
  }
}

/** A recording shows the base address where it is not given. */
async function readDescriptions(
  { sources, basePath, connection, requestTimeoutMs }: LearnOptions,
  recording: LearntRecording | undefined,
): Promise<DescribedOperation[]> {
  const path = basePath ?? (recording && new URL(recording.baseUrl).pathname.replace(/\/$/, ''));
  const fetchText = createFetchText(connection, requestTimeoutMs);
  const found: DescribedOperation[] = [];
  for (const { kind, source } of sources)
    try {
      if (kind !== 'openapi') continue;
      found.push(...(await readDescription(source, { basePath: path, fetchText })));
    } catch (error) {
      if (!(error instanceof LearnError) || error.kind === 'unreachable') throw error;
      throw new UsageError(error.message);
    }
  return found;
}
