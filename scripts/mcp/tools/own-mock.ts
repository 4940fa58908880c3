// Tools that start and end a mock of this server's own.
import { startMock } from '../../../mock/start.ts';
import { loadPackagedProfile } from '../../../openapi/profile.ts';
import { UsageError } from '../../options/usage-error.ts';
import { defineTool, type Tool } from '../tool.ts';

interface StartInput {
  profile?: string;
  clock?: 'real' | 'manual';
  seed?: number;
  faults?: string[];
  variations?: string[];
}

const idsSchema = { type: 'array', maxItems: 1_000, items: { type: 'string', maxLength: 80 } };

const running = 'a mock of this server is running; end it with stop_mock first';

const startMockTool = defineTool<StartInput>({
  name: 'start_mock',
  title: 'Start a mock',
  description:
    'Starts a mock of its own on a free port of 127.0.0.1, with a demo world in memory; all tools are for it until stop_mock, or until this server ends.',
  isReadOnly: false,
  isDestructive: false,
  input: {
    profile: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9-]*$',
      maxLength: 60,
      description: 'The name of a packaged profile. Default: default.',
    },
    clock: { type: 'string', enum: ['manual', 'real'], description: 'Default: manual, so that it is moved.' },
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
    faults: { ...idsSchema, description: 'Ids of faults that are on.' },
    variations: { ...idsSchema, description: 'Ids of lawful variations, or all.' },
  },
  call: async ({ profile = 'default', clock = 'manual', seed, faults, variations }, { session }) => {
    if (session.ownMock) throw new UsageError(running);
    const mock = await startMock({
      profile: loadPackagedProfile(profile),
      clock,
      ...(seed !== undefined && { seed }),
      ...(faults && { faults }),
      ...(variations && { variations }),
      log: (entry) => console.error(entry),
    });
    // Another call may have started one meanwhile.
    if (session.ownMock) {
      await mock.close();
      throw new UsageError(running);
    }
    session.ownMock = { controlUrl: mock.controlUrl, close: () => mock.close() };
    return { base_url: mock.baseUrl, control_url: mock.controlUrl, profile, clock };
  },
});

const stopMock = defineTool<Record<string, never>>({
  name: 'stop_mock',
  title: 'End the mock',
  description: 'Ends the mock that start_mock has started, with its world. No other mock can be ended by it.',
  isReadOnly: false,
  isDestructive: true,
  input: {},
  call: async (_input, { session }) => {
    const { ownMock } = session;
    if (!ownMock) throw new UsageError('there is no mock of this server; start_mock starts one');
    session.ownMock = undefined;
    await ownMock.close();
    return { stopped: ownMock.controlUrl };
  },
});

export const ownMockTools: readonly Tool[] = [startMockTool, stopMock];
