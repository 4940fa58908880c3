import { CommanderError } from 'commander';
import { createCommand, type Flags, type Given, givenTo } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Runs a tool of this repository with the arguments of the process, and turns what it throws into a message and an exit code. */
export async function runTool(
  name: string,
  flags: Flags,
  tool: (given: Given) => Promise<number>,
): Promise<void> {
  const command = createCommand(name, flags).usage('-- [flags]');
  try {
    process.exitCode = await tool(givenTo(command.parse(), flags, {}));
  } catch (error) {
    // Help was printed.
    if (error instanceof CommanderError) return;
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error && !isUsage ? error.stack : undefined;
    console.error(`${name}: ${text ?? (error instanceof Error ? error.message : String(error))}`);
    process.exitCode = isUsage ? 2 : 4;
  }
}
