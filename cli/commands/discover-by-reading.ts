// `sitepub discover --no-calls`: writes what a description or a recording says of operations.

import { visible } from '../../contract-tests/core/visible-text.ts';
import { createFindings, type Findings } from '../../contract-tests/findings/gap-findings.ts';
import { writeProfile } from '../../contract-tests/findings/write-profile.ts';
import type { Learning } from '../../contract-tests/learn/learn-operations.ts';
import { addToFindings, rowsOf, takeBackUncalled } from '../../contract-tests/learn/learnt-findings.ts';
import { createSecrets } from '../../contract-tests/redaction/redact.ts';
import { version } from '../../openapi/version.ts';
import type { SourceOptions } from '../options/discover-options.ts';
import { outputLost } from '../output/exit-code.ts';
import { saveProfile } from '../output/output-file.ts';
import { summarizeReading } from '../output/tell-discovery.ts';
import { learnFromSources, nameSources } from './learn-sources.ts';

interface Reading {
  sources: SourceOptions;
  /** What is known already, by gap. */
  known: Readonly<Record<string, unknown>>;
  out: string | undefined;
}

/** Returns the exit code. Throws UsageError, and SourceUnreachable where an address can't be read. */
export async function discoverByReading({ sources, known, out }: Reading): Promise<number> {
  const learning = await learnFromSources(sources, known);
  const findings = findingsOf(learning, known);
  const names = nameSources(sources);
  const isUseful = learning.operations.some(({ value }) => value !== undefined);
  const isSaved = !isUseful || saveProfile(out, profileOf(findings, names));
  const rows = rowsOf(learning, findings);
  const saved = isUseful && isSaved ? out : undefined;
  console.error(summarizeReading({ rows, count: learning.count, values: findings.values(), out: saved }));
  if (!isSaved) return outputLost;
  if (isUseful) return 0;
  console.error(`sitepub: ${visible(names)} shows none of these operations, so no profile was written`);
  return 3;
}

function findingsOf(learning: Learning, known: Reading['known']): Findings {
  const findings = createFindings(known);
  addToFindings(learning, findings);
  const reason = 'it deletes: run without --no-calls and with --create, or take the mark away';
  takeBackUncalled(learning, findings, { called: new Set(), reason });
  return findings;
}

function profileOf(findings: Findings, names: string): string {
  return writeProfile(findings, createSecrets(), {
    title: `Profile read from ${names}`,
    date: new Date(),
    version,
    stopped: undefined,
    only: 'operations',
  });
}
