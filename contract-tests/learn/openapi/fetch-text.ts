// Fetches a description from an address, on the way that the options say.
import { visible } from '../../../openapi/visible-text.ts';
import { Unreachable } from '../../core/outcomes.ts';
import type { Connection } from '../../core/suite-options.ts';
import { createClient } from '../../deployment/http-client.ts';
import { LearnError } from '../learn-error.ts';
import type { FetchText } from './description-source.ts';

/** Follows no redirect; an answer may take `timeoutMs`. What it throws is a LearnError. */
export function createFetchText(connection: Connection | undefined, timeoutMs: number): FetchText {
  return async (url) => {
    const { protocol, host, pathname } = new URL(url);
    const place = visible(`${protocol}//${host}${pathname}`);
    const headers = { Accept: 'application/json, application/yaml, text/yaml, */*', ...connection?.headers };
    const send = createClient({ baseUrl: url, ...(connection && { connection }) }, timeoutMs);
    try {
      const answer = await send({ method: 'GET', url, headers, body: undefined });
      if (answer.status === 200) return answer.text;
      throw new LearnError(
        `${place} answers with HTTP ${answer.status}${explain(answer.status)}`,
        'unreachable',
      );
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const advice = /longer than|more than/.test(error.message) ? '; download it, and give the file' : '';
      throw new LearnError(`${place} can't be read: ${error.message}${advice}`, 'unreachable');
    }
  };
}

function explain(status: number): string {
  if (status === 401 || status === 403)
    return '; give what its gateway demands with --header, or download it as you would and give the file';
  return status >= 300 && status < 400 ? '; redirects are not followed, so give the address behind it' : '';
}
