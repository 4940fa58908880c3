// Finds the command, runs it, and turns errors into a sentence and an exit code.

import { visible } from '../contract-tests/core/visible-text.ts';
import { didYouMean } from '../openapi/nearest.ts';
import { version } from '../openapi/version.ts';

interface Command {
  summary: string;
  /** Loads only what the command needs. Returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  mock: {
    summary: 'run the mock',
    run: async (args) => (await import('./commands/mock.ts')).mock(args),
  },
  exec: {
    summary: 'run a command while a mock is running',
    run: async (args) => (await import('./commands/exec.ts')).exec(args),
  },
  test: {
    summary: 'run the contract suite against a deployment',
    run: async (args) => (await import('./commands/test.ts')).test(args),
  },
  diff: {
    summary: 'compare two reports: what regressed, what is no longer verified',
    run: async (args) => (await import('./commands/diff.ts')).diff(args),
  },
  report: {
    summary: 'render an old report anew, in any form',
    run: async (args) => (await import('./commands/report.ts')).report(args),
  },
  cleanup: {
    summary: 'delete what a run of the suite has left behind',
    run: async (args) => (await import('./commands/cleanup.ts')).cleanup(args),
  },
  discover: {
    summary: 'find out how a deployment fills the gaps, and write its profile',
    run: async (args) => (await import('./commands/discover.ts')).discover(args),
  },
  receiver: {
    summary: 'print incoming webhooks, and whether their signatures are right',
    run: async (args) => (await import('./commands/receiver.ts')).receiver(args),
  },
  'test-receiver': {
    summary: 'check your webhook receiver',
    run: async (args) => (await import('./commands/test-receiver.ts')).testReceiver(args),
  },
  trigger: {
    summary: 'cause an event in a running mock',
    run: async (args) => (await import('./steer/trigger.ts')).trigger(args),
  },
  deliveries: {
    summary: 'show the pushes of a running mock',
    run: async (args) => (await import('./steer/deliveries.ts')).deliveries(args),
  },
  redeliver: {
    summary: 'send a push of a running mock again',
    run: async (args) => (await import('./steer/redeliver.ts')).redeliver(args),
  },
  advance: {
    summary: 'move the clock of a running mock, retries included',
    run: async (args) => (await import('./steer/advance.ts')).advance(args),
  },
  inbox: {
    summary: 'show what came to an inbox of a running mock',
    run: async (args) => (await import('./steer/inbox.ts')).inbox(args),
  },
  requests: {
    summary: 'show what a running mock was asked, and why it refused',
    run: async (args) => (await import('./steer/requests.ts')).requests(args),
  },
  reset: {
    summary: 'put a running mock back to its beginning',
    run: async (args) => (await import('./steer/reset.ts')).reset(args),
  },
  world: {
    summary: 'save or load the world of a running mock',
    run: async (args) => (await import('./steer/world.ts')).world(args),
  },
  fault: {
    summary: 'let a running mock break a promise',
    run: async (args) => (await import('./steer/fault.ts')).fault(args),
  },
  stop: {
    summary: 'end a running mock',
    run: async (args) => (await import('./steer/stop.ts')).stop(args),
  },
  mcp: {
    summary: 'offer all this to an MCP client, such as an assistant',
    run: async (args) => (await import('./mcp/mcp.ts')).mcp(args),
  },
  store: {
    summary: 'look into what keeps the worlds of mocks, update or remove it',
    run: async (args) => (await import('./commands/store-command.ts')).store(args),
  },
  types: {
    summary: 'write the TypeScript types of a deployment',
    run: async (args) => (await import('./commands/types.ts')).types(args),
  },
  spec: {
    summary: 'print the OpenAPI description of a deployment',
    run: async (args) => (await import('./commands/spec.ts')).spec(args),
  },
  list: {
    summary: 'list requirements, checks, gaps or faults',
    run: async (args) => (await import('./commands/list.ts')).list(args),
  },
  docs: {
    summary: 'print the manual',
    run: async (args) => (await import('./commands/docs.ts')).docs(args),
  },
};

/** Runs what `sitepub` is given. Returns the exit code. */
export async function runCommandLine([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return print(version);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return print(help(), name === undefined ? 2 : 0);
  const command = commands[name];
  if (!command) {
    const hint = didYouMean(name, Object.keys(commands));
    return printError(`unknown command "${name}"${hint} (\`sitepub --help\` shows all)`, 2);
  }
  try {
    return await command.run(args);
  } catch (error) {
    return explain(error, name);
  }
}

/** Errors with a message for the user, by the names of their classes; any other is a defect of sitepub. */
const usageErrors = ['UsageError', 'LeaveNeeded', 'ProfileError', 'MockError', 'WorldFileError'];
const unreachableErrors = ['StoreUnreachable', 'SourceUnreachable'];

function explain(error: unknown, command: string): number {
  if (process.env.SITEPUB_DEBUG) console.error(error);
  if (error instanceof Error && usageErrors.includes(error.constructor.name)) {
    const hint = ['UsageError', 'LeaveNeeded'].includes(error.constructor.name)
      ? ` (\`sitepub ${command} --help\`)`
      : '';
    return printError(`${error.message}${hint}`, 2);
  }
  if (error instanceof Error && unreachableErrors.includes(error.constructor.name))
    return printError(error.message, 3);
  if (error instanceof Error && error.constructor.name === 'OutputError') return printError(error.message, 4);
  const message = error instanceof Error ? error.message : String(error);
  return printError(`${command} itself failed: ${message} (SITEPUB_DEBUG=1 shows where)`, 4);
}

function help(): string {
  const rows = Object.entries(commands).map(
    ([name, { summary }]) => `  sitepub ${name.padEnd(13)} ${summary}`,
  );
  return `sitepub ${version}: types, mock and contract suite of the site publishing service\n\n${rows.join('\n')}\n\n\`sitepub COMMAND --help\` says more. The manual: \`sitepub docs\`.`;
}

function print(text: string, code = 0): number {
  console.log(text);
  return code;
}

function printError(message: string, code: number): number {
  for (const line of message.split('\n')) console.error(`sitepub: ${visible(line)}`);
  return code;
}
