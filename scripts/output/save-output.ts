// What a long run has found is not lost where its file can't be written.
import { basename, join } from 'node:path';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { OutputError, writeWhole } from './output-file.ts';
import { schemaLine } from './schema-line.ts';

/** Writes a file; where that fails, keeps it elsewhere and says so. Returns whether it was written. */
export function saveOutput(path: string, text: string): boolean {
  try {
    writeWhole(path, text);
    return true;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    console.error(`sitepub: ${error.message}; ${sayKept(basename(path), text)}`);
    return false;
  }
}

/** Keeps a text in the user's own folder, and says where. */
function sayKept(name: string, text: string): string {
  const path = join(ownFolder().path, `${Date.now()}-${process.pid}-${name.slice(-80)}`);
  try {
    writeWhole(path, text);
    return `it is kept in ${visible(path)}`;
  } catch {
    return 'it is lost';
  }
}

/** Writes a profile to its file, else to standard output, else elsewhere, and says so. Returns whether it is where it was wanted. */
export async function saveProfile(out: string | undefined, profile: string): Promise<boolean> {
  try {
    if (out !== undefined) {
      writeWhole(out, `${schemaLine('profile', out)}\n${profile}`);
      return true;
    }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    console.error(`sitepub: ${error.message}; the profile is on standard output`);
  }
  const isPrinted = await printWhole(profile);
  if (!isPrinted) console.error(`sitepub: the profile can't be printed; ${sayKept('profile.yaml', profile)}`);
  return isPrinted && out === undefined;
}

/** Whether it was written. A reader that has gone away wanted no more. */
function printWhole(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      resolve(!error || (error as NodeJS.ErrnoException).code === 'EPIPE');
    });
  });
}
