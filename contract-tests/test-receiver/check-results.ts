// Turns the errors of checks into results and warnings of the report.
import { NotVerified } from '../core/outcomes.ts';
import { shellWord } from '../core/shell-word.ts';
import type { CheckResult, Warning } from '../reports/report.ts';
import type { Signature } from './make-signature.ts';
import { isLate, UnexpectedAnswer } from './push-answer.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import type { ReceiverContext } from './receiver-context.ts';
import { headerText, type SentPush } from './sent-push.ts';

const noEvidence = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

export function passed({ id }: ReceiverCheck): CheckResult {
  return { ...noEvidence, id, outcome: 'passed' };
}

export function notVerified({ id }: ReceiverCheck, reason: string): CheckResult {
  return { ...noEvidence, id, outcome: 'not-verified', reason };
}

/** The result of a failed check of a promise. */
export function resultOfError(check: ReceiverCheck, error: unknown, context: ReceiverContext): CheckResult {
  const { redact } = context.secrets;
  const { id } = check;
  if (error instanceof UnexpectedAnswer && isLate(error.answer))
    return notVerified(
      check,
      `${error.actual}; the interface document sets no time limit for receivers; raise --timeout`,
    );
  if (error instanceof UnexpectedAnswer)
    return { ...noEvidence, id, outcome: 'failed', ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return notVerified(check, redact(error.message));
  const message = error instanceof Error ? error.message : String(error);
  const reason = `error in the suite: ${redact(message)}`;
  return { ...noEvidence, id, outcome: 'error', reason };
}

/** The warning of a failed check of advice; undefined if the check could not be verified. */
export function warningOf(
  { id }: ReceiverCheck,
  error: unknown,
  context: ReceiverContext,
): Warning | undefined {
  if (error instanceof UnexpectedAnswer) return { id, ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return undefined;
  throw error;
}

function evidenceOf(
  { message, expected, actual, push }: UnexpectedAnswer,
  { secrets, options }: ReceiverContext,
) {
  const { redact } = secrets;
  return {
    reason: redact(message),
    expected: redact(expected),
    actual: redact(actual),
    curl: redact(pushCurl(push, options.url)),
  };
}

/** A POSIX shell line that sends the push again. Needs SITEPUB_WEBHOOK_SECRET; writes the files "push" and "signed". */
export function pushCurl({ method, headers, body, transport = {} }: SentPush, url: string): string {
  const signature = headers.map(([, value]) => value).find((value) => typeof value !== 'string');
  const reads = signature?.shell.includes(' signed') ?? false;
  const signed = signature?.signed ?? body;
  const words = ['curl', '-sS', '-i', '-X', method, shellWord(url)];
  for (const [name, value] of headers) words.push('-H', headerWord(name, value));
  // Otherwise curl sends the Content-Type of a form.
  if (!headers.some(([name]) => /^content-type$/i.test(name))) words.push('-H', "'Content-Type:'");
  if (transport.chunked) words.push('-H', shellWord('Transfer-Encoding: chunked'));
  if (transport.expectContinue) words.push('-H', shellWord('Expect: 100-continue'));
  const [cut] = transport.cut?.(body.bytes) ?? [];
  if (cut === undefined) words.push('--data-binary', '@push');
  else words.push('-H', `'Content-Length: ${body.bytes.length}'`, '-H', "'Transfer-Encoding:'", '-T', '.');
  // curl sends data from a pipe as it arrives.
  const parts = cut === undefined ? '' : `{ head -c ${cut} push; sleep 1; tail -c +${cut + 1} push; } | `;
  return [
    ...(reads ? [`${signed.shell} > signed`] : []),
    `${body.shell} > push`,
    `${parts}${words.join(' ')}`,
  ].join(' && ');
}

/** curl drops a header with an empty value unless a semicolon follows its name. */
function headerWord(name: string, value: string | Signature): string {
  const shell = typeof value === 'string' ? undefined : value.shell;
  if (shell?.includes('$(')) return `"${name}: ${shell}"`;
  const text = headerText(value);
  return shellWord(text === '' ? `${name};` : `${name}: ${Buffer.from(text, 'latin1').toString('utf8')}`);
}
