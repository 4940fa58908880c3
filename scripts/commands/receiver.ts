import { describeFlags, readFlags } from '../options/flags.ts';
import {
  type AnswerStep,
  readListen,
  readSteps,
  receiverEnvironment,
  receiverFlags,
} from '../options/receiver-command-options.ts';
import { readSigningSecrets, refuseSecretInFlag } from '../options/receiver-secrets.ts';
import { describePush, pushAsJson, type ReceivedPush } from '../receiver/print-push.ts';
import { startPrintingReceiver } from '../receiver/printing-receiver.ts';

/** `sitepub receiver`: prints each push that comes, until it is interrupted. */
export async function receiver(args: readonly string[]): Promise<number> {
  refuseSecretInFlag(args);
  const given = readFlags(args, receiverFlags);
  if (given.switched('help')) {
    const title = 'sitepub receiver: prints the webhooks that come, and whether they are rightly signed';
    console.log(`${title}\n\n${describeFlags(receiverFlags)}\n\n${receiverEnvironment}`);
    return 0;
  }
  const secrets = readSigningSecrets({ isDemanded: given.switched('secret') });
  const steps = readSteps(given);
  const isJson = given.switched('json');
  const onPush = (push: ReceivedPush) => console.log(isJson ? pushAsJson(push) : describePush(push));
  const started = await startPrintingReceiver({ ...readListen(given), secrets, steps, onPush });
  // Whoever reads that it is ready may interrupt it at once.
  const interrupted = interruption();
  const { url } = started;
  console.log(isJson ? JSON.stringify({ url, pid: process.pid }) : greeting({ url, secrets, steps }));
  await interrupted;
  await started.close();
  return 0;
}

function greeting({
  url,
  secrets,
  steps,
}: {
  url: string;
  secrets: readonly string[];
  steps: readonly AnswerStep[];
}) {
  const rules = [
    secrets.length === 0
      ? 'verifies nothing: SITEPUB_WEBHOOK_SECRET is not set'
      : `verifies with ${secrets.length === 1 ? 'a secret' : `${secrets.length} secrets, of which each will do`}`,
    steps.length > 0
      ? `answers ${steps.join(', ')}${steps.length > 1 ? `, and ${steps.at(-1)} from then on` : ''}`
      : 'answers 200, and 401 where the signature is wrong',
  ];
  return [
    url,
    '',
    `  takes webhooks on any path`,
    ...rules.map((rule) => `  ${rule}`),
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}

/** Ctrl-C, or the end of whoever reads what is printed. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.stdout.once('error', () => resolve());
  });
}
