import { noSecret } from './expect-push.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import { type ReceiverOptions, secretsOfReceiver } from './receiver-options.ts';

export function receiverPlanText(checks: readonly ReceiverCheck[], options: ReceiverOptions): string {
  const { redact } = secretsOfReceiver(options);
  const pushes = checks.reduce((sum, check) => sum + check.pushes + 1, 0);
  const groups = Map.groupBy(checks, ({ requirement }): string => requirement);
  const lines = [
    `sitepub test-receiver --dry-run  ${redact(options.url)}: nothing was sent`,
    '',
    `${checks.length} checks, about ${pushes} pushes; a valid push precedes each check`,
    ...[...groups].flatMap(([name, some]) => [
      '',
      name === 'advice' ? 'advice (warns, never fails)' : name,
      ...some.map(({ id, what }) => `  ${id.padEnd(38)} ${what}`),
    ]),
    ...(options.secret === undefined ? ['', `Not verified: ${noSecret}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
