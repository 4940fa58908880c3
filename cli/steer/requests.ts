import type { Schemas } from '../../openapi/generated/control-types.ts';
import { requestLine } from '../output/note-lines.ts';
import { listAndFollow } from './list-and-follow.ts';
import { readPages } from './read-pages.ts';
import { paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock requests`: what the service was asked, and what it answered. */
export const requests = steerCommand(show);

function show(steering: Steering): Promise<number> {
  const { mock, given } = steering;
  const operation = given.text('operation');
  const paint = paintOutput();
  return listAndFollow<Schemas['Request']>(steering, {
    list: () =>
      readPages(mock, 'requests', (page) => mock.GET('/requests', { query: { operation, ...page } })),
    event: 'request',
    isWanted: (request) => operation === undefined || operation === request.operation,
    keyOf: ({ id }) => String(id),
    toLines: (request) => [requestLine(request, paint)],
    none: 'there are no requests',
  });
}
