// What is mutated, and what has to detect it.
import { fileURLToPath } from 'node:url';

export interface Area {
  name: string;
  title: string;
  /** Patterns of files, relative to the root of the repository. */
  files: readonly string[];
  /** How many of the places are drawn, between 0 and 1. */
  share: number;
  /** For Stryker. */
  options: Readonly<Record<string, unknown>>;
}

/** Texts and pointers in messages, code that only the control API uses, and a guard that is off by default. */
const unassessed = [
  ...['operations/pointer-to', 'webhooks/sample-values', 'webhooks/private-targets'],
  ...['http/http-date', 'http/journal', 'request/forced-answers'],
];

/** Modules of the suite that decide verdicts; each has unit tests beside it. */
export const oracleModules = [
  ...['calls/expect-answer', 'checks/limits/measure-limit', 'core/exchange'],
  ...['deployment/check-exchange', 'deployment/gap-observations', 'deployment/login-budget'],
  ...['events/retry-delays', 'push-receiver/attempts', 'redaction/learn-tokens', 'redaction/redact'],
  ...[
    'redaction/automaton',
    'redaction/decode-escapes',
    'redaction/decode-runs',
    'redaction/find-secrets',
    'redaction/known-secrets',
    'reports/apply-expected-failures',
    'reports/expected-failures',
    'run/needs',
  ],
];

export const areas: readonly Area[] = [
  {
    name: 'mock',
    title: 'the behaviour of the mock, with the contract suite as the killer',
    files: [
      'mock/{http,operations,request,webhooks}/*.ts',
      'mock/server/{app,socket-errors}.ts',
      'mock/world/{digests,random,receiving-url,subscription-id,world}.ts',
      '!mock/**/*.test.ts',
      `!mock/{${unassessed}}.ts`,
    ],
    share: 0.12,
    options: {
      testRunner: 'suite',
      plugins: [pathOf('suite-runner.ts')],
      timeoutMS: 15_000,
      maxTestRunnerReuse: 100,
    },
  },
  {
    name: 'oracles',
    title: 'the code of the suite that decides verdicts, with its unit tests as the killer',
    files: [`contract-tests/{${oracleModules}}.ts`, 'openapi/robots/*.ts', '!openapi/robots/*.test.ts'],
    share: 0.12,
    options: {
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'scripts/mutation/oracles.vitest.config.ts' },
      timeoutMS: 10_000,
    },
  },
];

export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
