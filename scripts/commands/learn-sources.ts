// Reads what `sitepub learn` learns from: descriptions and recordings.
import { basename } from 'node:path';
import type { DescribedOperation } from '../../contract-tests/learn/described-operation.ts';
import { createFetchText } from '../../contract-tests/learn/fetch-text.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { nameOfSource, readDescription } from '../../contract-tests/learn/openapi/read-description.ts';
import { digestOfRecording } from '../../contract-tests/learn/recording/digest-of-recording.ts';
import { type LearntRecording, learnHar } from '../../contract-tests/learn/recording/learn-recording.ts';
import { RecordingError } from '../../contract-tests/learn/recording/recorded-exchange.ts';
import { visible } from '../../openapi/visible-text.ts';
import type { LearnOptions, Source } from '../options/learn-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { learnByProxy } from './learn-by-proxy.ts';

export interface SourcesRead {
  operations: DescribedOperation[];
  /** Sentences for people: what of the recordings was taken, and what was left out. */
  notes: string[];
  /** The recorded operations, a line each. Neither has secrets, nor characters that a terminal obeys. */
  digest: string[];
}

type Reading = Pick<LearnOptions, 'sources' | 'baseUrl' | 'basePath' | 'connection' | 'proxy'>;

/** `given`: what a profile states already. Throws UsageError for what can't be used, and LearnError where an address can't be read. */
export async function readSources(
  reading: Reading,
  given: Readonly<Record<string, unknown>>,
): Promise<SourcesRead> {
  const recordings = reading.sources
    .filter(({ kind }) => kind === 'har')
    .map((one) => readRecording(one, reading));
  const [first] = recordings;
  const described = await readDescriptions(reading, first);
  const read = recordings.flatMap(({ operations }) => operations);
  if (reading.proxy) {
    const seen = await learnByProxy(reading.proxy, { given, described: [...described, ...read] });
    recordings.push({ ...seen, notes: seen.notes.map(visible) });
  }
  const recorded = recordings.flatMap(({ operations }) => operations);
  return {
    operations: [...described, ...recorded],
    notes: recordings.flatMap(({ notes }) => notes),
    digest: digestOfRecording(recorded).map(visible),
  };
}

/** What the sources are called in titles and messages. */
export function nameSources(sources: readonly Source[]): string {
  return sources.map(({ source }) => nameOfSource(source)).join(' and ');
}

function readRecording({ source }: Source, { baseUrl }: Reading): LearntRecording {
  const name = visible(basename(source));
  try {
    const { notes, ...learnt } = learnHar(source, { baseUrl, name });
    return { ...learnt, notes: notes.map((note) => visible(`${name}: ${note}`)) };
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(visible(`--har ${source}: ${error.message}`));
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`--har: ${visible(source)} can't be read (${code})`);
  }
}

/** A recording shows the base address where it is not given. */
async function readDescriptions(
  { sources, basePath, connection }: Reading,
  recording: LearntRecording | undefined,
): Promise<DescribedOperation[]> {
  const path = basePath ?? (recording && new URL(recording.baseUrl).pathname.replace(/\/$/, ''));
  const found: DescribedOperation[] = [];
  for (const { kind, source } of sources)
    try {
      if (kind !== 'openapi') continue;
      found.push(
        ...(await readDescription(source, { basePath: path, fetchText: createFetchText(connection) })),
      );
    } catch (error) {
      if (!(error instanceof LearnError) || error.kind === 'unreachable') throw error;
      throw new UsageError(error.message);
    }
  return found;
}
