// The commands for mocks. Each module is imported only when its command runs, so that help stays fast.
import { flags } from '../options/flags.ts';
import { execFlags, followFlag, mockFlags, steeringFlags, storeFlags } from '../options/mock-flags.ts';
import type { CommandRow } from './command-row.ts';

const steeringNotes = `Without --control-url, the command uses the running mock that \`sitepub mock\` started last on this machine. If the mock requires a control token, set SITEPUB_CONTROL_TOKEN.`;

const steeringExitCodes = {
  0: 'done',
  2: 'wrong usage, or the mock refused the call',
  3: 'no mock answers',
  4: 'sitepub itself failed',
};

/** A command for a running mock. */
function steering(usage: string, { notes = '', ...row }: Omit<CommandRow, 'usage'>): CommandRow {
  return {
    usage: `mock ${usage}`,
    ...row,
    flags: { ...row.flags, ...steeringFlags },
    notes: `${notes}\n\n${steeringNotes}`.trimStart(),
    exitCodes: steeringExitCodes,
  };
}

const ofStore = {
  flags: storeFlags,
  notes: 'A database can be used at any time, a file only while no mock uses it.',
  exitCodes: {
    0: 'done',
    1: 'status only: this version of sitepub cannot use the store as it is',
    2: 'wrong usage, or sitepub refused to drop the tables',
    3: 'the store cannot be reached or read',
    4: 'sitepub itself failed',
  },
};

export const mockCommands: readonly CommandRow[] = [
  {
    usage: 'mock start',
    isDefault: true,
    summary: 'run a local mock of the service',
    flags: mockFlags,
    run: async (given) => (await import('../commands/mock.ts')).mock(given),
  },
  steering('status', {
    summary: 'show the address, clock, profile, faults and limits of a running mock',
    run: async (given) => (await import('../steer/world.ts')).status(given),
  }),
  steering('requests', {
    summary: 'show the requests to a running mock, and why it refused some',
    flags: {
      ...followFlag,
      ...flags({ '--operation <ID>': 'show only requests of this operationId' }),
    },
    notes: `Shows the latest requests, the oldest first, and why the mock refused some. With --json, it also shows headers and bodies, without secrets.

  sitepub mock requests --operation login
  sitepub mock requests --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).requests(given),
  }),
  steering('deliveries', {
    summary: 'show the pushes of a running mock',
    flags: {
      ...followFlag,
      ...flags({
        '--state <STATE>': 'show only pushes in this state: pending, delivered or given-up',
        '--site <ID>': 'show only pushes of this site',
      }),
    },
    notes: `Shows the latest attempt of each delivery, the oldest delivery first. With --json, it shows all attempts, the headers and the body.

  sitepub mock deliveries --state given-up
  sitepub mock deliveries --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).deliveries(given),
  }),
  steering('inbox <name>', {
    summary: 'show the messages in an inbox of a running mock',
    flags: followFlag,
    notes: `An inbox is a webhook receiver inside the mock. Its URL is that of the control API followed by /inbox/NAME, with any NAME. Subscribe that URL to events; this command then shows the messages and their bodies. With --json, it shows each message completely.

  sitepub mock inbox shop --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).inbox(given),
  }),
  steering('trigger <event>', {
    summary: 'cause an event in a running mock',
    flags: flags({
      '--site <ID>': 'the site (default: the only one with a subscription to the event)',
      '--data <JSON>':
        '`data` of the push as JSON, or @FILE (default: from the newest content, submission or comment of the site, or from its next version)',
    }),
    notes: `Waits until the mock has sent the push, and shows the result. For an unknown event, it lists all events.

  sitepub mock trigger comment.created --site 101
  sitepub mock trigger publish.complete --data '{"message": "Two pages.", "pages": 2, "version": 9}'`,
    run: async (given) => (await import('../steer/traffic.ts')).trigger(given),
  }),
  steering('resend <id>', {
    summary: 'send a push of a running mock again',
    notes: `Sends the bytes of a delivery again at once, in any state. \`sitepub mock deliveries\` shows the numbers of deliveries.

  sitepub mock resend 7`,
    run: async (given) => (await import('../steer/traffic.ts')).resend(given),
  }),
  steering('advance <duration>', {
    summary: 'move the clock of a running mock forward',
    notes: `The mock does everything that is due by then, such as retries, and the command shows the attempts. A duration is 90s, 36m or 1h, or one of ISO 8601 such as PT36M or P1D.

  sitepub mock advance 36m   # all retries of a failing push`,
    run: async (given) => (await import('../steer/traffic.ts')).advance(given),
  }),
  steering('reset', {
    summary: 'reset a running mock to its initial state',
    flags: flags({
      '--tenant <T>': 'reset only this tenant, by id or name',
      '--keep-sessions': 'keep users logged in, for example a browser whose state a test has stored',
    }),
    notes: `Resets the world of the mock, including its clock, and empties the list of requests.

  sitepub mock reset --tenant "Harbour Café"
  sitepub mock reset --keep-sessions`,
    run: async (given) => (await import('../steer/world.ts')).reset(given),
  }),
  steering('fault [ids...]', {
    summary: 'turn faults of a running mock on or off',
    notes: `A fault makes the mock break a promise. The command turns the named faults on and all others off; \`none\` turns all off. Without a name, it shows the faults that are on. \`sitepub list faults\` lists all faults.

  sitepub mock fault third-retry-missing
  sitepub mock fault none`,
    run: async (given) => (await import('../steer/world.ts')).fault(given),
  }),
  steering('save <file>', {
    summary: 'save the world of a running mock to a file',
    notes: `The file contains digests of passwords, tokens and keys, but signing secrets in clear text. Only your user can read it.

  sitepub mock save before.json
  sitepub mock --world before.json`,
    run: async (given) => (await import('../steer/world.ts')).save(given),
  }),
  steering('load <file>', {
    summary: 'load a saved world into a running mock',
    notes: `Replaces the world of the mock, including its clock.

  sitepub mock load before.json`,
    run: async (given) => (await import('../steer/world.ts')).load(given),
  }),
  steering('stop', {
    summary: 'stop a running mock',
    notes: 'The mock first finishes its current requests and pushes, for five seconds at most.',
    run: async (given) => (await import('../steer/world.ts')).stop(given),
  }),
  {
    usage: 'mock store status',
    summary: 'show what is in a store, and whether this version of sitepub can use it',
    ...ofStore,
    run: async (given) => (await import('../commands/store-command.ts')).storeStatus(given),
  },
  {
    usage: 'mock store migrate',
    summary: 'create or update the tables of a store, as mocks do at start',
    ...ofStore,
    run: async (given) => (await import('../commands/store-command.ts')).storeMigrate(given),
  },
  {
    usage: 'mock store drop',
    summary: 'delete the tables of a store with all worlds, and nothing else in the database',
    ...ofStore,
    flags: {
      ...storeFlags,
      ...flags({
        '--yes': 'confirm that all worlds in the store are deleted',
        '--force': 'delete the tables even while mocks use them; these mocks then answer 503',
      }),
    },
    run: async (given) => (await import('../commands/store-command.ts')).storeDrop(given),
  },
  {
    usage: 'exec [command...]',
    summary: 'run a command with a mock',
    flags: execFlags,
    notes: `Put the command after two dashes. It gets the addresses and credentials of the mock as environment variables. sitepub exits with its exit code.

  sitepub exec -- npm test
  sitepub exec --clock manual -- npx vitest run`,
    run: async (given) => (await import('../commands/exec.ts')).exec(given),
  },
];
