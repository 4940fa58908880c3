import { UsageError } from '../options/usage-error.ts';

/** The official SDK, an optional peer that no other command needs. Throws UsageError where it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  try {
    const [server, stdio] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
    ]);
    return { ...server, ...stdio };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      'this command needs the MCP SDK, which is not installed; install it beside sitepub:\n' +
        '  npm install --save-dev @modelcontextprotocol/server',
    );
  }
}

export type Sdk = typeof import('@modelcontextprotocol/server') &
  typeof import('@modelcontextprotocol/server/stdio');
