// What the tools of one server share: what was given at the start, the mock, and the report of the last run.

import type { Secrets } from '../../contract-tests/redaction/redact.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { type Given, readFlags } from '../options/flags.ts';
import { controlFlags } from '../options/mock-flags.ts';
import { findMock, type MockClient } from '../steer/mock-client.ts';
import { lastMock } from '../steer/running-mocks.ts';
import { knownSecrets } from './known-secrets.ts';

/** A mock that this server has started. */
interface OwnMock {
  controlUrl: string;
  close(): Promise<void>;
}

export interface Session {
  /** The flags of the command line. */
  given: Given;
  allowsChanges: boolean;
  /** The folder that files are read in. */
  folder: string;
  secrets: Secrets;
  /** The mock that tools are for: the one that was started here, else the one that was named, else the one that was started last on this machine. Throws Unreachable. */
  findMock(): MockClient;
  ownMock: OwnMock | undefined;
  lastReport: Report | undefined;
  /** The run that is under way, until it has cleaned up. */
  run: { ended: Promise<void>; end(): void } | undefined;
  /** Ends what was begun. */
  close(): Promise<void>;
}

export function createSession(given: Given, folder: string): Session {
  let found: { key: string; mock: MockClient } | undefined;
  const session: Session = {
    given,
    allowsChanges: given.switched('allow-changes'),
    folder,
    secrets: knownSecrets(),
    // Kept, since each finding adds to the certificates that are trusted.
    findMock: () => {
      const own = session.ownMock?.controlUrl;
      const key = own ?? given.text('control-url') ?? JSON.stringify(lastMock());
      if (!found || found.key !== key) {
        const flags = own === undefined ? given : readFlags([`--control-url=${own}`], controlFlags, {});
        found = { key, mock: findMock(flags) };
      }
      return found.mock;
    },
    ownMock: undefined,
    lastReport: undefined,
    run: undefined,
    close: async () => {
      session.run?.end();
      await session.run?.ended;
      await session.ownMock?.close();
    },
  };
  return session;
}
