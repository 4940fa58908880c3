import type { Row } from './row.ts';
import { coldStart } from './rows/cold-start-row.ts';
import { dispatch } from './rows/dispatch-row.ts';
import { memory } from './rows/memory-row.ts';
import { createWebhook, login } from './rows/request-rows.ts';
import { retries } from './rows/retries-row.ts';
import { suite } from './rows/suite-row.ts';

export const rows: readonly Row[] = [login, createWebhook, coldStart, memory, dispatch, retries, suite];
