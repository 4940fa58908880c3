import { UsageError } from './usage-error.ts';

/** Runs a tool of this repository with the arguments of the process, and turns what it throws into a message and an exit code. */
export async function runTool(
  name: string,
  tool: (args: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await tool(process.argv.slice(2));
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error && !isUsage ? error.stack : undefined;
    console.error(`${name}: ${text ?? (error instanceof Error ? error.message : String(error))}`);
    process.exitCode = isUsage ? 2 : 4;
  }
}
