// The summary that GitHub shows for a step of a job.
import { appendFileSync, statSync } from 'node:fs';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import { markdownBlocks } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';

/** What GitHub takes of a step's summary, in bytes. */
const mostBytes = 1024 * 1024;

/** Appends the report to a summary. Throws where the file can't be written. */
export function appendStepSummary(report: Report, path: string): void {
  const written = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  appendFileSync(path, fitSummary(markdownBlocks(report), mostBytes - written));
}

/** The parts, as far as there is room for them, and a word on those that were left out. */
export function fitSummary(blocks: readonly string[], bytes: number): string {
  const all = textOf(blocks);
  if (Buffer.byteLength(all) <= bytes) return all;
  const kept: string[] = [];
  for (const block of blocks) {
    const tried = textOf([...kept, block, noteOn(blocks.length)]);
    if (Buffer.byteLength(tried) <= bytes) kept.push(block);
  }
  const noted = textOf([...kept, noteOn(blocks.length - kept.length)]);
  return Buffer.byteLength(noted) <= bytes ? noted : '';
}

function noteOn(left: number): string {
  return `${count(left, 'part')} of the report left out, for a step's summary may have 1 MiB: \`--report html=report.html\` writes all of it.`;
}

function textOf(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
