import type { Row } from './row.ts';
import { coldStart } from './rows/cold-start.ts';
import { dispatch } from './rows/dispatch.ts';
import { memory } from './rows/memory.ts';
import { createWebhook, login } from './rows/requests.ts';
import { retries } from './rows/retries.ts';
import { suite } from './rows/suite.ts';

export const rows: readonly Row[] = [login, createWebhook, coldStart, memory, dispatch, retries, suite];
