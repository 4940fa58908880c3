import { visible } from '../../contract-tests/core/visible-text.ts';
import { boundGarbage } from '../commands/bounded-garbage.ts';
import { readProfile, readUrl } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { onInterruption } from '../screen/interruption.ts';
import { reserveOutput } from '../screen/reserve-output.ts';
import { createServer } from './create-server.ts';
import { loadSdk } from './load-sdk.ts';
import { createSession, type Session } from './session.ts';

/** `sitepub mcp`: a server of the Model Context Protocol, until the client goes away. */
export async function mcp(given: Given): Promise<number> {
  for (const flag of ['control-url', 'base-url', 'receiver-url']) readUrl(given, flag);
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
