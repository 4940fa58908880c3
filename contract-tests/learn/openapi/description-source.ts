// Where descriptions come from: files, and http addresses.
import { readLimitedText, sayReadError } from '../../../openapi/read-limited-text.ts';
import { LearnError } from '../learn-error.ts';
import { largestDescription } from './parse-description.ts';

/** Fetches the text at an address. Throws LearnError. */
export type FetchText = (url: string) => Promise<string>;

export function isHttp(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Throws LearnError. */
export function readDescriptionFile(path: string): string {
  try {
    return readLimitedText(path, largestDescription);
  } catch (error) {
    throw new LearnError(`${path} can't be read (${sayReadError(error, largestDescription)})`);
  }
}
