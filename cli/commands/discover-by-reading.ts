// The sources of `sitepub discover`: an OpenAPI description and recordings. With --no-calls, their operations become the profile.
import { basename } from 'node:path';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { createFindings, type Findings } from '../../contract-tests/findings/gap-findings.ts';
import { writeProfile } from '../../contract-tests/findings/write-profile.ts';
import { nameOfSource, readDescription } from '../../contract-tests/learn/description/read.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type Learning, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { addToFindings, rowsOf, takeBackUncalled } from '../../contract-tests/learn/learnt-findings.ts';
import { learnRecordings } from '../../contract-tests/learn/recording/learn-recordings.ts';
import { readHar } from '../../contract-tests/learn/recording/read-har.ts';
import { createSecrets } from '../../contract-tests/redaction/redact.ts';
import { version } from '../../openapi/version.ts';
import type { SourceOptions } from '../options/discover-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { summarizeReading } from '../output/discovery-summary.ts';
import { outputLost } from '../output/finish-report.ts';
import { saveProfile } from '../output/output-file.ts';

/** Throws UsageError, or SourceUnreachable if a URL cannot be read. */
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

async function readSources({ openapi, recordings, baseUrl, connection, requestTimeoutMs }: SourceOptions) {
  const exchanges = recordings.flatMap((file) => readHar(file, basename(file)));
  const recording = recordings.length > 0 ? learnRecordings(exchanges, baseUrl) : undefined;
  // Without --base-url, the recording shows the base URL.
  const base = baseUrl ?? recording?.baseUrl;
  const basePath = base === undefined ? undefined : new URL(base).pathname.replace(/\/$/, '');
  const way = { basePath, connection, requestTimeoutMs };
  const described = openapi === undefined ? [] : await readDescription(openapi, way);
  const names = recordings.map((file) => basename(file)).join(', ');
  const notes = (recording?.notes ?? []).map((note) => `${names}: ${note}`);
  return { operations: [...described, ...(recording?.operations ?? [])], notes };
}

interface Reading {
  sources: SourceOptions;
  /** Known values, by the id of their gap. */
  known: Readonly<Record<string, unknown>>;
  out: string | undefined;
}

/** Returns the exit code. Throws UsageError, or SourceUnreachable if a URL cannot be read. */
export async function discoverByReading({ sources, known, out }: Reading): Promise<number> {
  const learning = await learnFromSources(sources, known);
  const findings = findingsOf(learning, known);
  const given = [...(sources.openapi === undefined ? [] : [sources.openapi]), ...sources.recordings];
  const names = given.map(nameOfSource).join(' and ');
  const isUseful = learning.operations.some(({ value }) => value !== undefined);
  const title = `Profile read from ${names}`;
  const shown = { title, date: new Date(), version, stopped: undefined, only: 'operations' } as const;
  const isSaved = !isUseful || saveProfile(out, writeProfile(findings, createSecrets(), shown));
  const rows = rowsOf(learning, findings);
  const saved = isUseful && isSaved ? out : undefined;
  console.error(summarizeReading({ rows, count: learning.count, values: findings.values(), out: saved }));
  if (!isSaved) return outputLost;
  if (isUseful) return 0;
  console.error(`sitepub: ${visible(names)} contains none of these operations, so no profile was written`);
  return 3;
}

function findingsOf(learning: Learning, known: Reading['known']): Findings {
  const findings = createFindings(known);
  addToFindings(learning, findings);
  const reason = 'it deletes: run without --no-calls and with --create, or uncomment the line';
  takeBackUncalled(learning, findings, { called: new Set(), reason });
  return findings;
}
