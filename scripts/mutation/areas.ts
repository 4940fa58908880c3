// What is mutated, and what is to notice it.
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

const served = [
  ...['answers', 'app', 'authenticate', 'exchange', 'limits', 'paths', 'pipeline', 'problems', 'random'],
  ...['read-body', 'receiving-url', 'repeats', 'secrets', 'socket-errors', 'subscription-id'],
  ...['tenant-of-call', 'validate-body', 'windows', 'world'],
];

/** Texts and pointers in messages; and a guard that only the user of the mock asks for. */
const unserved = ['operations/pointer-to', 'webhooks/sample-values', 'webhooks/private-targets'];

/** They have unit tests of their own. */
export const judging = [
  ...['apply-expected-failures', 'attempts', 'exchange', 'expect', 'expected-failures', 'judge-exchange'],
  ...['learn-tokens', 'limits', 'login-budget', 'needs', 'observations', 'redact', 'retry-delays'],
  ...['robot-rules', 'secret-forms', 'secret-pattern'],
];

export const areas: readonly Area[] = [
  {
    name: 'mock',
    title: 'the behaviour of the mock, with the contract suite as the killer',
    files: [
      `mock/{${served}}.ts`,
      'mock/{operations,webhooks}/*.ts',
      '!mock/**/*.test.ts',
      `!mock/{${unserved}}.ts`,
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
    title: 'the code of the suite that judges, with its unit tests as the killer',
    files: [`contract-tests/{${judging}}.ts`],
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
