import { visible } from '../../contract-tests/core/visible-text.ts';
import { readProfile, readUrl } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { reserveOutput } from '../screen/guard-output.ts';
import { onInterruption } from '../screen/interruption.ts';
import { createServer, type Sdk } from './server.ts';
import { createSession, type Session } from './tool.ts';

export async function mcp(given: Given): Promise<number> {
  for (const flag of ['control-url', 'base-url', 'receiver-url']) readUrl(given, flag);
  readProfile(given);
  const session = createSession(given);
  await serve(await loadSdk(), session);
  // The client has disconnected, so abort the running calls.
  process.exit(0);
}

/** Throws UsageError if this optional peer dependency is not installed. */
async function loadSdk(): Promise<Sdk> {
  try {
    const server = await import('@modelcontextprotocol/server');
    return { ...server, ...(await import('@modelcontextprotocol/server/stdio')) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      'this command needs a package that is not installed; run npm install --save-dev @modelcontextprotocol/server',
    );
  }
}

async function serve(sdk: Sdk, session: Session): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const transport = new sdk.StdioServerTransport(process.stdin, reserveOutput());
  sdk.serveStdio(() => createServer(sdk, session), {
    transport,
    onerror: ({ message }) => console.error(`sitepub: ${describeProblem(message)}`),
  });
  // Called when the input ends or the transport fails, for example on a message of more than 10 MB. It aborts the calls.
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    end();
  };
  process.stdout.once('error', () => transport.close());
  onInterruption(() => transport.close());
  await ended;
  await session.run;
}

/** The SDK reports an invalid message as a JSON list. */
function describeProblem(message: string): string {
  if (message.startsWith('[')) return 'ignored a message of the client, because it is not JSON-RPC 2.0';
  return visible(message).slice(0, 500);
}
