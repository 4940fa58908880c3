// What the tools of one server share: what it was started with, the mock, the run and its report.
import type { Secrets } from '../../contract-tests/redaction/redact.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { Given } from '../options/flags.ts';
import { findMock, type MockClient } from '../steer/mock-client.ts';
import { lastMock } from '../steer/running-mocks.ts';
import { addSecretsOf, secretsOfEnvironment } from './harmless-data.ts';

export interface Session {
  /** The flags of the command line. */
  given: Given;
  allowsChanges: boolean;
  secrets: Secrets;
  /** Uses the mock, and learns the secrets of its world, since any text of it may hold them. Throws MockUnreachable or Refused. */
  useMock<Answer>(use: (mock: MockClient) => Promise<Answer>): Promise<Answer>;
  lastReport: Report | undefined;
  /** The run that is under way, until it has cleaned up. */
  run: Promise<void> | undefined;
}

/** Throws UsageError where a secret of the environment can't be read. */
export function createSession(given: Given): Session {
  const secrets = secretsOfEnvironment();
  let known: { key: string; mock: MockClient } | undefined;
  const find = () => {
    const key = given.text('control-url') ?? JSON.stringify(lastMock());
    // Each finding adds to the certificates that are trusted.
    if (!known || known.key !== key) known = { key, mock: findMock(given) };
    return known.mock;
  };
  return {
    given,
    allowsChanges: given.switched('allow-changes'),
    secrets,
    useMock: async (use) => {
      const mock = find();
      const answer = await use(mock);
      addSecretsOf((await mock.GET('/tenants')).tenants, secrets);
      return answer;
    },
    lastReport: undefined,
    run: undefined,
  };
}
