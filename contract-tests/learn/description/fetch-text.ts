// Fetches a description from an address, over the connection that the options state.
import { visible } from '../../../openapi/visible-text.ts';
import { Unreachable } from '../../core/outcomes.ts';
import type { Connection } from '../../core/suite-options.ts';
import { createClient } from '../../deployment/http-client.ts';
import { LearnError } from '../learn-error.ts';
import { type FetchText, nameOfSource } from './read.ts';

/** Follows no redirect; an answer may take `timeoutMs`. */
export function createFetchText(connection: Connection | undefined, timeoutMs: number): FetchText {
  return async (url) => {
    const place = visible(nameOfSource(url));
    const headers = { Accept: 'application/json, application/yaml, text/yaml, */*', ...connection?.headers };
    const send = createClient({ baseUrl: url, ...(connection && { connection }) }, timeoutMs);
    try {
      const { status, text } = await send({ method: 'GET', url, headers, body: undefined });
      if (status === 200) return text;
      throw new LearnError(`${place} answers with HTTP ${status}${adviceFor(status)}`, 'unreachable');
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const advice = /longer than|more than/.test(error.message) ? '; download it, and give the file' : '';
      throw new LearnError(`${place} can't be read: ${error.message}${advice}`, 'unreachable');
    }
  };
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return '; give what its gateway demands with --header, or download it as you would and give the file';
  return status >= 300 && status < 400 ? '; redirects are not followed, so give the address behind it' : '';
}
