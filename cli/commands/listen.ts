import type { Given } from '../options/flags.ts';
import {
  type AnswerStep,
  readForward,
  readListen,
  readSigningSecrets,
  readSteps,
} from '../options/webhook-options.ts';
import { describePush, pushAsJson, type ReceivedPush } from '../receiver/print-push.ts';
import { startPrintingReceiver } from '../receiver/printing-receiver.ts';
import { interruption } from '../screen/interruption.ts';

export async function listen(given: Given): Promise<number> {
  const secrets = readSigningSecrets({ isDemanded: given.switched('secret') });
  const steps = readSteps(given);
  const target = readForward(given);
  const forward =
    target === undefined ? undefined : (await import('../receiver/forward-push.ts')).createForwarder(target);
  const isJson = given.switched('json');
  const onPush = (push: ReceivedPush) => console.log(isJson ? pushAsJson(push) : describePush(push));
  const started = await startPrintingReceiver({ ...readListen(given), secrets, steps, forward, onPush });
  // Set before the ready line is printed, because a caller may interrupt the receiver right after it.
  const interrupted = interruption();
  const { url } = started;
  console.log(isJson ? JSON.stringify({ url, pid: process.pid }) : greeting({ url, secrets, steps, target }));
  await interrupted;
  await started.close();
  return 0;
}

interface Settings {
  url: string;
  secrets: readonly string[];
  steps: readonly AnswerStep[];
  target: string | undefined;
}

function greeting({ url, secrets, steps, target }: Settings): string {
  const rules = [
    secrets.length === 0
      ? 'verifies nothing: SITEPUB_WEBHOOK_SECRET is not set'
      : `verifies with ${secrets.length === 1 ? 'a secret' : `any of ${secrets.length} secrets`}`,
    target !== undefined ? `forwards each push to ${target}, and answers as it answers` : answersOf(steps),
  ];
  const lines = ['accepts webhooks on any path', ...rules].map((line) => `  ${line}`);
  return [url, '', ...lines, '', 'Press Ctrl-C to stop.', ''].join('\n');
}

function answersOf(steps: readonly AnswerStep[]): string {
  return steps.length > 0
    ? `answers ${steps.join(', ')}${steps.length > 1 ? `, and ${steps.at(-1)} from then on` : ''}`
    : 'answers 200, or 401 if the signature is wrong';
}
