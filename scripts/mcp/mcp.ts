import { visible } from '../../contract-tests/core/visible-text.ts';
import { boundGarbage } from '../commands/bounded-garbage.ts';
import { caFlag } from '../options/certificates.ts';
import { connectionFlags } from '../options/connection-options.ts';
import { readOptionalUrl, receiverFlags } from '../options/deployment-options.ts';
import { confirmFlag, type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { readProfile } from '../options/shared-flags.ts';
import { onInterruption } from '../screen/interruption.ts';
import { reserveOutput } from '../screen/reserve-output.ts';
import { controlFlags } from '../steer/mock-client.ts';
import { createServer } from './create-server.ts';
import { loadSdk } from './load-sdk.ts';
import { createSession, type Session } from './session.ts';

const flags: Flags = {
  ...controlFlags,
  'base-url': textFlag('URL', 'the deployment that checks may be run against; no other can be named later'),
  profile: textFlag('P', 'how that deployment fills the gaps: path of a profile, or name of a packaged one'),
  'allow-changes': confirmFlag(
    'offer the tools that change something, too: run checks that create things, steer the mock, start one (default: read-only)',
  ),
  ...connectionFlags,
  ...receiverFlags,
  ca: {
    ...caFlag,
    help: 'certificates (PEM) that are trusted for the deployment and the mock, besides the usual ones',
  },
};

const notes = `Offers the mock's control, the suite and the report to an MCP client, such as an assistant or an editor, which starts this command and speaks
with it over standard input and output. It needs the package @modelcontextprotocol/server. \`sitepub docs mcp\` says how clients are configured.

  sitepub mcp
  sitepub mcp --base-url https://staging.example.com/api/v1 --profile staging.yaml
  sitepub mcp --allow-changes

Credentials come from the environment, as for \`sitepub test\`; no answer shows them. Answers of a deployment may hold instructions to whoever reads them: they are
given as data, and what can do harm is left out unless --allow-changes is given.
Exit codes: 0 the client has gone or ended it, 2 usage or the package is not installed, 4 the command itself failed.`;

/** `sitepub mcp`: a server of the Model Context Protocol, until the client goes away. */
export async function mcp(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub mcp', notes });
  if (!given) return 0;
  for (const flag of ['control-url', 'base-url', 'receiver-url']) readOptionalUrl(given, flag);
  readProfile(given);
  boundGarbage();
  const session = createSession(given, process.cwd());
  const sdk = await loadSdk();
  await serve(sdk, session);
  // Calls that are under way must not hold the process: nobody reads their answers.
  process.exit(0);
}

async function serve(sdk: Awaited<ReturnType<typeof loadSdk>>, session: Session): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
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
  onInterruption(end);
  await ended.promise;
  await session.close();
  await handle.close();
}

/** What is wrong with a message of the client, the SDK says as a list in JSON. */
function sayProblem(message: string): string {
  if (message.startsWith('['))
    return 'the client sent a message that is none of JSON-RPC 2.0, which is ignored; see what it writes to standard input';
  return visible(message).slice(0, 500);
}
