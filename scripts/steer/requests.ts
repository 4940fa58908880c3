import type { Schemas } from '../../openapi/generated/control-types.ts';
import { textFlag } from '../options/flags.ts';
import { requestLine } from '../output/note-lines.ts';
import { followFlag, listAndFollow } from './list-and-follow.ts';
import { readPages } from './read-pages.ts';
import { paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub requests`: what the service was asked, and what it answered. */
export const requests = steerCommand({
  usage: 'sitepub requests',
  notes: `Shows the latest requests of the service, the oldest first, and why they were refused; with --json also their headers and bodies,
without secrets.

  sitepub requests --operation login
  sitepub requests --follow`,
  flags: {
    follow: followFlag,
    operation: textFlag('ID', 'only those of an operation, by its operationId'),
  },
  run: show,
});

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
