import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openCommand } from '../../testing.ts';

const file = fileURLToPath(new URL('../../sitepub.mjs', import.meta.url));

type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** Starts `sitepub mcp` in an empty working directory, where it finds no other mock. */
export async function openClient(args: readonly string[], environment: Record<string, string> = {}) {
  const command = openCommand();
  const folder = realpathSync(command.folder);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, 'mcp', ...args],
    env: command.settings(environment) as Record<string, string>,
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
  const call = async (name: string, input: object = {}, options: CallOptions = {}) => {
    const asked = { name, arguments: { ...input } };
    const told = await client.callTool(asked, { timeout: 80_000, ...options });
    const [first] = told.content;
    return {
      isError: told.isError === true,
      text: first?.type === 'text' ? first.text : '',
      data: (told.structuredContent ?? {}) as Record<string, unknown>,
    };
  };
  return {
    client,
    folder,
    call,
    /** Calls a tool, and throws if it fails. */
    read: async (name: string, input: object = {}, options: CallOptions = {}) => {
      const { isError, text, data } = await call(name, input, options);
      if (isError) throw new Error(text);
      return data;
    },
    /** Everything that the server has sent, on standard output and standard error. */
    said: () => said.join('\n'),
    pid: () => Number(transport.pid),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
