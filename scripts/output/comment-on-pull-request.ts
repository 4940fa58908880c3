// The comment of `sitepub diff --comment`: written once, and then kept up to date. Whatever GitHub answers, a job does not fail by it.
import { createHash } from 'node:crypto';
import { commentDiff, isUnchanged } from '../../contract-tests/reports/comment-diff.ts';
import type { Comparison } from '../../contract-tests/reports/comparison.ts';
import { markdownDiffBlocks } from '../../contract-tests/reports/diff-formats.ts';
import { isObject } from '../../openapi/json.ts';
import { readLimitedText } from '../../openapi/read-limited-text.ts';
import { visible } from '../../openapi/visible-text.ts';
import { readSecret } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { type GithubApi, GithubError, openGithubApi, type Patience, type PullRequest } from './github-api.ts';
import { appendBlocks } from './step-summary.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Settings {
  environment?: Environment;
  patience?: Patience;
}

/** Writes a comparison into the summary of the step and into a comment on the pull request of the job. Throws UsageError outside of a job on GitHub. */
export async function commentOnPullRequest(
  comparison: Comparison,
  { environment = process.env, patience }: Settings = {},
): Promise<void> {
  const { GITHUB_REPOSITORY: repository, GITHUB_STEP_SUMMARY: summary } = environment;
  if (!repository || !/^[\w-]+\/(?!\.+$)[\w.-]+$/.test(repository))
    throw new UsageError(
      '--comment is for a job on GitHub: GITHUB_REPOSITORY is not set; elsewhere use --format markdown, and post what it prints',
    );
  if (summary) summarize(comparison, summary);
  const number = numberOf(environment);
  // A push or a schedule has nothing to comment on.
  if (number === undefined) return;
  const token = readSecret('SITEPUB_GITHUB_TOKEN', environment) ?? environment.GITHUB_TOKEN;
  if (!token) return notice('there is no token; set GITHUB_TOKEN');
  const apiUrl = environment.GITHUB_API_URL || 'https://api.github.com';
  const pullRequest: PullRequest = { apiUrl, repository, number, token };
  try {
    await putComment(openGithubApi(pullRequest, patience), comparison, markerOf(comparison, environment));
  } catch (error) {
    if (!(error instanceof GithubError)) throw error;
    notice(error.message);
  }
}

/** Changes the comment that is there, or writes one; none where nothing has changed, so that nobody gets a mail for it. */
async function putComment(api: GithubApi, comparison: Comparison, marker: string): Promise<void> {
  // Anybody can write the marker of others; only what a program or a writer has written is replaced.
  const own = (await api.comments()).findLast(({ body, isTrusted }) => isTrusted && body.startsWith(marker));
  const body = commentDiff(comparison, marker);
  if (own && own.body !== body) await api.update(own.id, body);
  if (!own && !isUnchanged(comparison)) await api.create(body);
}

/** What tells the comment of this job from those of others; jobs of a matrix differ in their profiles. */
function markerOf(
  { after }: Comparison,
  { GITHUB_WORKFLOW: workflow = '', GITHUB_JOB: job = '' }: Environment,
): string {
  const key = JSON.stringify([workflow, job, after.target.profile]);
  return `<!-- sitepub diff ${createHash('sha256').update(key).digest('hex').slice(0, 16)} -->`;
}

/** In bytes; an event has the texts of the pull request in it. */
const longestEvent = 32 * 1_048_576;

/** The number of the pull request in the event that began the job; undefined where it is about none. */
function numberOf({ GITHUB_EVENT_PATH: path }: Environment): number | undefined {
  if (!path) return undefined;
  const event = readEvent(path);
  const { pull_request: direct, issue } = isObject(event) ? event : {};
  const found = direct ?? (isObject(issue) && issue.pull_request ? issue : undefined);
  return isObject(found) && Number.isSafeInteger(found.number) ? Number(found.number) : undefined;
}

function readEvent(path: string): unknown {
  try {
    return JSON.parse(readLimitedText(path, longestEvent));
  } catch {
    notice(`the event of the job (${path}) can't be read`);
    return undefined;
  }
}

function summarize(comparison: Comparison, path: string): void {
  try {
    appendBlocks(markdownDiffBlocks(comparison), path, '`sitepub diff` prints all of it');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.error(`sitepub: the step summary ${visible(path)} can't be written (${code})`);
  }
}

/** As bytes, since GitHub shall obey it. */
function notice(reason: string): void {
  const text = visible(`${reason}. The summary of the job has the comparison.`).replaceAll('%', '%25');
  process.stdout.write(Buffer.from(`::notice title=No comment on the pull request::${text}\n`));
}
