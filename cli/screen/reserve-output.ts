import { Writable } from 'node:stream';

/** Standard output for one writer alone; what anything else prints there from now on goes to standard error. */
export function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout) as (
    bytes: Uint8Array,
    done: (error?: Error | null) => void,
  ) => boolean;
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return new Writable({
    write: (bytes: Uint8Array, _encoding, done) => void write(bytes, done),
  });
}
