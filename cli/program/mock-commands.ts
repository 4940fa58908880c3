// The commands for mocks. Each module is imported only when its command runs, so that help stays fast.
import { flags } from '../options/flags.ts';
import { execFlags, followFlag, mockFlags, steeringFlags, storeFlags } from '../options/mock-flags.ts';
import type { CommandRow } from './command-row.ts';

const steeringNotes = 'If the mock requires a control token, set SITEPUB_CONTROL_TOKEN.';

const steeringExitCodes = {
  0: 'success',
  2: 'usage error, or the mock rejected the call',
  3: 'no running mock found',
  4: 'internal error',
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

const storeExitCodes = {
  0: 'success',
  2: 'usage error',
  3: 'the store cannot be reached or read',
  4: 'internal error',
};

const ofStore = {
  flags: storeFlags,
  notes: 'You can run this command on a database at any time, but on a file only while no mock uses it.',
  exitCodes: storeExitCodes,
};

export const mockCommands: readonly CommandRow[] = [
  {
    usage: 'mock start',
    isDefault: true,
    summary: 'run a local mock of the service',
    flags: mockFlags,
    notes:
      'The world of a mock is its data, for example tenants, sites and deliveries. A profile describes how one deployment fills the gaps, which are the questions that the interface document leaves open. `sitepub docs mock` explains more.',
    run: async (given) => (await import('../commands/mock.ts')).mock(given),
  },
  steering('status', {
    summary: 'show the address, clock, profile, faults and limits of a running mock',
    run: async (given) => (await import('../steer/world.ts')).status(given),
  }),
  steering('requests', {
    summary: 'show the requests that a running mock received',
    flags: {
      ...followFlag,
      ...flags({ '--operation <ID>': 'show only requests with this operationId' }),
    },
    notes: `Shows the latest requests, oldest first, and why the mock rejected a request. With --json, it also shows headers and bodies, without secrets.

  sitepub mock requests --operation login
  sitepub mock requests --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).requests(given),
  }),
  steering('deliveries', {
    summary: 'show the pushes from a running mock',
    flags: {
      ...followFlag,
      ...flags({
        '--state <STATE>': 'show only pushes in this state: pending, delivered or given-up',
        '--site <ID>': 'show only pushes for this site',
      }),
    },
    notes: `Shows the latest attempt of each delivery, oldest delivery first. With --json, it shows all attempts, the headers and the body.

  sitepub mock deliveries --state given-up
  sitepub mock deliveries --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).deliveries(given),
  }),
  steering('inbox <name>', {
    summary: 'show the messages in an inbox of a running mock',
    flags: followFlag,
    notes: `An inbox is a webhook receiver inside the mock. Its URL is the control URL followed by /inbox/NAME; choose any NAME. Subscribe that URL to events, and use this command to show the messages that arrive. With --json, it also shows their headers.

  sitepub mock inbox shop --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).inbox(given),
  }),
  steering('trigger <event>', {
    summary: 'trigger an event in a running mock',
    flags: flags({
      '--site <ID>': 'site of the event (default: the site with a subscription to it, if there is only one)',
      '--data <JSON>':
        '`data` of the push: JSON, or @FILE (default: generated from the newest content, submission or comment of the site, or from its next version)',
    }),
    notes: `Waits until the mock has sent the push, and shows the result. If the event is unknown, the error lists all events.

  sitepub mock trigger comment.created --site 101
  sitepub mock trigger publish.complete --data '{"message": "Two pages.", "pages": 2, "version": 9}'`,
    run: async (given) => (await import('../steer/traffic.ts')).trigger(given),
  }),
  steering('resend <id>', {
    summary: 'resend a push from a running mock',
    notes: `Immediately sends the same bytes again, in any state of the delivery. \`sitepub mock deliveries\` shows delivery ids.

  sitepub mock resend 7`,
    run: async (given) => (await import('../steer/traffic.ts')).resend(given),
  }),
  steering('advance <duration>', {
    summary: 'advance the clock of a running mock',
    notes: `The mock runs everything that becomes due, such as retries, and the command shows the attempts. Write a duration as 90s, 36m or 1h, or in ISO 8601 format, such as PT36M or P1D.

  sitepub mock advance 36m   # runs all retries of a failing push`,
    run: async (given) => (await import('../steer/traffic.ts')).advance(given),
  }),
  steering('reset', {
    summary: 'reset a running mock to its initial state',
    flags: flags({
      '--tenant <T>': 'reset only this tenant, by id or name',
      '--keep-sessions': 'keep users logged in, for example if a test has saved the state of a browser',
    }),
    notes: `Resets the world of the mock, including its clock, and clears the list of requests.

  sitepub mock reset --tenant "Harbour Café"
  sitepub mock reset --keep-sessions`,
    run: async (given) => (await import('../steer/world.ts')).reset(given),
  }),
  steering('fault [ids...]', {
    summary: 'turn faults on or off in a running mock',
    notes: `A fault makes the mock break a promise. The command turns the named faults on and all others off; \`none\` turns all off. Without arguments, it shows the faults that are on. \`sitepub list faults\` lists all faults.

  sitepub mock fault third-retry-missing
  sitepub mock fault none`,
    run: async (given) => (await import('../steer/world.ts')).fault(given),
  }),
  steering('save <file>', {
    summary: 'save the world of a running mock to a file',
    notes: `The file contains passwords, tokens and keys as digests, but signing secrets in plain text. Only your user can read it.

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
    notes: 'The mock first finishes its current requests and pushes, for up to five seconds.',
    run: async (given) => (await import('../steer/world.ts')).stop(given),
  }),
  {
    usage: 'mock store status',
    summary: 'show the contents of a store, and whether this version of sitepub can use it',
    ...ofStore,
    exitCodes: { ...storeExitCodes, 1: 'this version of sitepub cannot use the store' },
    run: async (given) => (await import('../commands/store-command.ts')).storeStatus(given),
  },
  {
    usage: 'mock store migrate',
    summary: 'create the tables of a store, as a mock does at startup',
    ...ofStore,
    run: async (given) => (await import('../commands/store-command.ts')).storeMigrate(given),
  },
  {
    usage: 'mock store drop',
    summary: 'delete the tables of a store, including all worlds, and nothing else in the database',
    ...ofStore,
    flags: {
      ...storeFlags,
      ...flags({
        '--yes': 'confirm that you want to delete all worlds in the store',
        '--force': 'delete the tables even if mocks are using them; those mocks then answer 503',
      }),
    },
    exitCodes: { ...storeExitCodes, 2: 'usage error, or the store is in use or of another version' },
    run: async (given) => (await import('../commands/store-command.ts')).storeDrop(given),
  },
  {
    usage: 'exec [command...]',
    summary: 'run a command with a mock',
    flags: execFlags,
    notes: `Put the command after --. It receives the URLs and credentials of the mock in environment variables. sitepub exits with the exit code of the command.

  sitepub exec -- npm test
  sitepub exec --clock manual -- npx vitest run`,
    run: async (given) => (await import('../commands/exec.ts')).exec(given),
  },
];
