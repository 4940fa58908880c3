// The commands for mocks: what each takes, and what runs it. Nothing that a command needs is loaded before it runs.
import { flags } from '../options/flags.ts';
import { execFlags, followFlag, mockFlags, steeringFlags, storeFlags } from '../options/mock-flags.ts';
import type { CommandRow } from './command-row.ts';

const steeringNotes = `The mock is that of --control-url, else the one that \`sitepub mock\` has started last here and is running still. SITEPUB_CONTROL_TOKEN has its control token, where the mock demands one.

Exit codes: 0 done, 2 usage or refused by the mock, 3 no mock answers, 4 the command itself failed.`;

/** A command for a mock that runs. */
function steering(usage: string, { notes = '', ...row }: Omit<CommandRow, 'usage'>): CommandRow {
  return {
    usage: `mock ${usage}`,
    ...row,
    flags: { ...row.flags, ...steeringFlags },
    notes: `${notes}\n\n${steeringNotes}`.trimStart(),
  };
}

const ofStore = {
  flags: storeFlags,
  notes: `A file can be looked into while no mock uses it; a database at any time.

Exit codes: 0 done, 1 this sitepub can't use the store as it is (status), 2 usage, or refused, 3 the store can't be reached or read, 4 the command itself failed.`,
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
    run: async (given) => (await import('../steer/status.ts')).status(given),
  }),
  steering('requests', {
    summary: 'show what a running mock was asked, and why it refused',
    flags: {
      ...followFlag,
      ...flags({ '--operation <ID>': 'only those of an operation, by its operationId' }),
    },
    notes: `Shows the latest requests of the service, the oldest first, and why they were refused; with --json also their headers and bodies, without secrets.

  sitepub mock requests --operation login
  sitepub mock requests --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).requests(given),
  }),
  steering('deliveries', {
    summary: 'show the pushes of a running mock',
    flags: {
      ...followFlag,
      ...flags({
        '--state <STATE>': 'only those that are pending, delivered or given-up',
        '--site <ID>': 'only those of a site',
      }),
    },
    notes: `Shows each delivery by its latest attempt, the oldest first; with --json as a whole, with all attempts, headers and the body.

  sitepub mock deliveries --state given-up
  sitepub mock deliveries --follow`,
    run: async (given) => (await import('../steer/pushes.ts')).deliveries(given),
  }),
  steering('inbox <name>', {
    summary: 'show what came to an inbox of a running mock',
    flags: followFlag,
    notes: `Shows the messages that came to an inbox of the mock, and their bodies; with --json all of them, as they came. Subscribe its address, the control API's with /inbox/NAME: any name will do.

  sitepub mock inbox shop --follow`,
    run: async (given) => (await import('../steer/traffic.ts')).inbox(given),
  }),
  steering('trigger <event>', {
    summary: 'cause an event in a running mock',
    flags: flags({
      '--site <ID>': 'the site (default: the only one with a subscription to the event)',
      '--data <JSON>':
        'what the push has as `data`, or @FILE with that (default: that of the newest content, submission or comment of the site, or of its next version)',
    }),
    notes: `Waits until the event was pushed, and shows with what result. An unknown event lists all.

  sitepub mock trigger comment.created --site 101
  sitepub mock trigger publish.complete --data '{"message": "Two pages.", "pages": 2, "version": 9}'`,
    run: async (given) => (await import('../steer/pushes.ts')).trigger(given),
  }),
  steering('resend <id>', {
    summary: 'send a push of a running mock again',
    notes: `Sends the bytes of a delivery once more, now, whatever came of it before. Its number is that of \`sitepub mock deliveries\`.

  sitepub mock resend 7`,
    run: async (given) => (await import('../steer/pushes.ts')).resend(given),
  }),
  steering('advance <duration>', {
    summary: 'move the clock of a running mock, retries included',
    notes: `Does all that is due by then, such as retries, and shows the attempts that it caused. The duration is one of ISO 8601, such as PT36M or P1D, or 90s, 36m, 1h.

  sitepub mock advance 36m   # all retries of a push that fails`,
    run: async (given) => (await import('../steer/pushes.ts')).advance(given),
  }),
  steering('reset', {
    summary: 'put a running mock back to its beginning',
    flags: flags({
      '--tenant <T>': 'only what belongs to a tenant, by its id or name',
      '--keep-sessions': 'who is logged in stays so, such as a browser whose state a test has stored',
    }),
    notes: `Puts the world of the mock back as it was at the beginning, its clock included, and empties the log of requests.

  sitepub mock reset --tenant "Harbour Café"
  sitepub mock reset --keep-sessions`,
    run: async (given) => (await import('../steer/world.ts')).reset(given),
  }),
  steering('fault [ids...]', {
    summary: 'let a running mock break promises, or none',
    notes: `Turns on the faults that are named, and all others off; none turns off all. Without a name, shows those that are on. \`sitepub list faults\` lists them.

  sitepub mock fault third-retry-missing
  sitepub mock fault none`,
    run: async (given) => (await import('../steer/status.ts')).fault(given),
  }),
  steering('save <file>', {
    summary: 'write the world of a running mock into a file',
    notes: `The file has passwords, tokens and keys as digests, but signing secrets as they are: only you can read it.

  sitepub mock save before.json
  sitepub mock --world before.json`,
    run: async (given) => (await import('../steer/world.ts')).save(given),
  }),
  steering('load <file>', {
    summary: 'put a saved world in place of that of a running mock',
    notes: `Its clock is included.

  sitepub mock load before.json`,
    run: async (given) => (await import('../steer/world.ts')).load(given),
  }),
  steering('stop', {
    summary: 'end a running mock',
    notes: `The mock ends once requests and pushes that are under way have ended, after five seconds at most.`,
    run: async (given) => (await import('../steer/status.ts')).stop(given),
  }),
  {
    usage: 'mock store status',
    summary: 'show what a store holds, and whether this sitepub can use it',
    ...ofStore,
    run: async (given) => (await import('../commands/store-command.ts')).storeStatus(given),
  },
  {
    usage: 'mock store migrate',
    summary: 'make the tables of a store; mocks do the same at their start',
    ...ofStore,
    run: async (given) => (await import('../commands/store-command.ts')).storeMigrate(given),
  },
  {
    usage: 'mock store drop',
    summary: 'remove the tables with all worlds, and nothing else of the database',
    ...ofStore,
    flags: {
      ...storeFlags,
      ...flags({
        '--yes': 'really remove everything that the store holds',
        '--force': 'even while mocks use it: they answer 503 then',
      }),
    },
    run: async (given) => (await import('../commands/store-command.ts')).storeDrop(given),
  },
  {
    usage: 'exec [command...]',
    summary: 'run a command while a mock is running',
    flags: execFlags,
    notes: `The command stands after two dashes. It gets the addresses and credentials of the mock as environment variables, and its exit code is that of sitepub.

  sitepub exec -- npm test
  sitepub exec --clock manual -- npx vitest run`,
    run: async (given) => (await import('../commands/exec.ts')).exec(given),
  },
];
