import { shellWord } from '../core/shell-word.ts';
import type { Signature } from './make-signature.ts';
import { headerText, type SentPush } from './sent-push.ts';

/** A command line that sends a push again in a POSIX shell that has the secret as SITEPUB_WEBHOOK_SECRET. It writes the files "push" and "signed". */
export function pushCurl({ method, headers, body, transport = {} }: SentPush, url: string): string {
  const signature = headers.map(([, value]) => value).find((value) => typeof value !== 'string');
  const reads = signature?.shell.includes(' signed') ?? false;
  const signed = signature?.signed ?? body;
  const words = ['curl', '-sS', '-i', '-X', method, shellWord(url)];
  for (const [name, value] of headers) words.push('-H', headerWord(name, value));
  // Or curl names that of a form.
  if (!headers.some(([name]) => /^content-type$/i.test(name))) words.push('-H', "'Content-Type:'");
  if (transport.chunked) words.push('-H', shellWord('Transfer-Encoding: chunked'));
  if (transport.expectContinue) words.push('-H', shellWord('Expect: 100-continue'));
  const [cut] = transport.cut?.(body.bytes) ?? [];
  if (cut === undefined) words.push('--data-binary', '@push');
  else words.push('-H', `'Content-Length: ${body.bytes.length}'`, '-H', "'Transfer-Encoding:'", '-T', '.');
  // curl sends what comes through a pipe as it comes.
  const parts = cut === undefined ? '' : `{ head -c ${cut} push; sleep 1; tail -c +${cut + 1} push; } | `;
  return [
    ...(reads ? [`${signed.shell} > signed`] : []),
    `${body.shell} > push`,
    `${parts}${words.join(' ')}`,
  ].join(' && ');
}

/** curl drops a header without a value unless it ends in a semicolon. */
function headerWord(name: string, value: string | Signature): string {
  const shell = typeof value === 'string' ? undefined : value.shell;
  if (shell?.includes('$(')) return `"${name}: ${shell}"`;
  const text = headerText(value);
  return shellWord(text === '' ? `${name};` : `${name}: ${Buffer.from(text, 'latin1').toString('utf8')}`);
}
