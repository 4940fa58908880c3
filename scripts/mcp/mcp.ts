import { visible } from '../../contract-tests/core/visible-text.ts';
import { connectionFlags } from '../options/connection-options.ts';
import { readOptionalUrl, receiverFlags } from '../options/deployment-options.ts';
import { confirmFlag, type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { readProfile } from '../options/shared-flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { onInterruption } from '../screen/interruption.ts';
import { reserveOutput } from '../screen/reserve-output.ts';
import { controlFlags } from '../steer/mock-client.ts';
import { createServer, type Sdk } from './server.ts';
import { createSession, type Session } from './session.ts';

const flags: Flags = {
  ...controlFlags,
  'base-url': textFlag('URL', 'the deployment that checks may be run against; no other can be named later'),
  profile: textFlag('P', 'how that deployment fills the gaps: path of a profile, or name of a packaged one'),
  'max-wait': textFlag('TIME', 'longest time that a check may only wait, such as 90s or 36m (default: 10s)'),
  'allow-changes': confirmFlag(
    'offer what changes something, too: run checks that create things, steer the mock (default: read-only)',
  ),
  ...connectionFlags,
  ...receiverFlags,
};

const notes = `Lets an MCP client, such as an assistant or an editor, use the mock, the suite and its reports. The client starts this command and speaks with it over
standard input and output. It needs the package @modelcontextprotocol/server. \`sitepub docs mcp\` says how to configure clients.

  sitepub mcp
  sitepub mcp --base-url https://staging.example.com/api/v1 --profile staging.yaml
  sitepub mcp --allow-changes

Credentials come from the environment, as for \`sitepub test\`; no answer shows them. Answers of a deployment may hold instructions to their reader: they are given as data,
and what can do harm is left out unless --allow-changes is given.
Exit codes: 0 the client has gone or ended it, 2 usage or the package is not installed, 4 the command itself failed.`;

/** `sitepub mcp`: a server of the Model Context Protocol, until the client goes away. */
export async function mcp(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub mcp', notes });
  if (!given) return 0;
  for (const flag of ['control-url', 'base-url', 'receiver-url']) readOptionalUrl(given, flag);
  readProfile(given);
  const session = createSession(given);
  await serve(await loadSdk(), session);
  // Calls that are under way must not hold the process: nobody reads their answers.
  process.exit(0);
}

/** The official SDK, an optional peer that no other command needs. Throws UsageError where it is not installed. */
async function loadSdk(): Promise<Sdk> {
  try {
    const server = await import('@modelcontextprotocol/server');
    return { ...server, ...(await import('@modelcontextprotocol/server/stdio')) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      'this command needs the MCP SDK, which is not installed; install it beside sitepub:\n' +
        '  npm install --save-dev @modelcontextprotocol/server',
    );
  }
}

async function serve(sdk: Sdk, session: Session): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const transport = new sdk.StdioServerTransport(process.stdin, reserveOutput());
  const handle = sdk.serveStdio(() => createServer(sdk, session), {
    transport,
    onerror: ({ message }) => console.error(`sitepub: ${sayProblem(message)}`),
  });
  // Also when the transport gives up, such as at a message of more than 10 MB.
  const close = transport.close.bind(transport);
  transport.close = async () => {
    end();
    await close();
  };
  process.stdin.once('end', end).once('close', end);
  process.stdout.once('error', end);
  onInterruption(() => end());
  await ended;
  session.run?.end();
  await session.run?.ended;
  await handle.close();
}

/** What is wrong with a message of the client, the SDK says as a list in JSON. */
function sayProblem(message: string): string {
  if (message.startsWith('['))
    return 'the client sent a message that is none of JSON-RPC 2.0, which is ignored; see what it writes to standard input';
  return visible(message).slice(0, 500);
}
