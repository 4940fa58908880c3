import { ApiError } from './api-errors.ts';

/** Where a store keeps the world, and can't now: the call has not happened. */
export function notKept(): ApiError {
  return new ApiError('internal', 'the service can not keep what this call does; try again', {
    status: 503,
    headers: { 'retry-after': '1' },
  });
}
