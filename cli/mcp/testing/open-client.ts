// The command as a client meets it: started and spoken with by the SDK's own client.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const command = fileURLToPath(new URL('../../sitepub.mjs', import.meta.url));

type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** A client of `sitepub mcp` with these flags, in a working directory of its own, without the settings of the user. */
export async function openClient(args: readonly string[], environment: Record<string, string> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sitepub-mcp-')));
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(SITEPUB|GITHUB)_|^(https?)_proxy$/i.test(name),
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp', ...args],
    // No mock of this machine is found by chance.
    env: { ...Object.fromEntries(others), TMPDIR: folder, ...environment } as Record<string, string>,
    cwd: folder,
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (bytes) => said.push(String(bytes)));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    said.push(JSON.stringify(message));
    onmessage?.(message);
  };
  return {
    client,
    folder,
    call: async (name: string, input: object = {}, options: CallOptions = {}) => {
      const asked = { name, arguments: { ...input } };
      const told = await client.callTool(asked, { timeout: 80_000, ...options });
      const [first] = told.content;
      return {
        isError: told.isError === true,
        text: first?.type === 'text' ? first.text : '',
        data: (told.structuredContent ?? {}) as Record<string, unknown>,
      };
    },
    /** All that the server has sent, on standard output and on standard error. */
    said: () => said.join('\n'),
    pid: () => Number(transport.pid),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      rmSync(folder, { recursive: true });
    },
  };
}
