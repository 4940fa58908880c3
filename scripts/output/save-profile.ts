import { OutputError, writeWhole } from './output-file.ts';
import { sayKept } from './save-output.ts';

/** Writes a profile to its file, else to standard output, else elsewhere, and says so. Returns whether it is where it was wanted. */
export async function saveProfile(out: string | undefined, profile: string): Promise<boolean> {
  try {
    if (out !== undefined) {
      writeWhole(out, profile);
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
