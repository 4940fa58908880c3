// The constant answers of the servers that the mock is compared with.
import type { OperationId } from '../../openapi/operations.ts';

const envelope = { code: 0, message: 'success', trace_id: '4bf92f3577b34da6' };

/** As long as the mock's answers. */
export const constantAnswers: Partial<Record<OperationId, object>> = {
  login: { ...envelope, data: { token: 'st_8c1f0e3b5a7d4f608c1f0e3b5a7d4f60' } },
  createSubscription: {
    ...envelope,
    data: {
      url: 'https://hooks.example/sitepub',
      events: ['publish.complete', 'publish.failed'],
      channel: 'custom',
      id: 42,
    },
  },
};
