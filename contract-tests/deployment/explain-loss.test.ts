// The words for what OpenSSL says: messages as Node 24 had them before servers of OpenSSL and Go.
import { expect, test } from 'vitest';
import { explainLoss } from './explain-loss.ts';
