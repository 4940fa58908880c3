// The summary that GitHub shows for a step of a job.
import { appendFileSync, statSync } from 'node:fs';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import { markdownBlocks } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';

/** GitHub's limit for a step's summary, in bytes. */
const maxBytes = 1024 * 1024;

/** Appends the report to a summary. Throws when the file can't be written. */
export function appendStepSummary(report: Report, path: string): void {
  const written = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  appendFileSync(path, fitSummary(markdownBlocks(report), maxBytes - written));
}

/** The blocks that fit into the limit, and a note on those that were left out. */
export function fitSummary(blocks: readonly string[], bytes: number): string {
  const all = textOf(blocks);
  if (Buffer.byteLength(all) <= bytes) return all;
  const fitting: string[] = [];
  for (const block of blocks) {
    const longer = textOf([...fitting, block, noteOn(blocks.length)]);
    if (Buffer.byteLength(longer) <= bytes) fitting.push(block);
  }
  const noted = textOf([...fitting, noteOn(blocks.length - fitting.length)]);
  return Buffer.byteLength(noted) <= bytes ? noted : '';
}

function noteOn(left: number): string {
  return `${count(left, 'part')} left out, since a step's summary may have 1 MiB: \`--report html=report.html\` writes all of it.`;
}

function textOf(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
