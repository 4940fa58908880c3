/** Ctrl-C, or the end of the process that reads the output, for a command that ends so. A second Ctrl-C ends the process. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.stdout.once('error', () => resolve());
  });
}
