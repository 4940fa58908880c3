import { ApiError, unknownPath } from './api-errors.ts';

/** Where a store keeps the world, and can't now: the call has not happened. */
export function notKept(): ApiError {
  return new ApiError('internal', 'the service can not keep what this call does; try again', {
    status: 503,
    headers: { 'retry-after': '1' },
  });
}

/** Another mock has ended the world while this one had it in memory. */
export const worldHasEnded =
  'this world has ended; POST /_mock/worlds makes one, GET /_mock/worlds lists them';

export function inEndedWorld(method: string, path: string): ApiError {
  return unknownPath(method, path, worldHasEnded);
}
