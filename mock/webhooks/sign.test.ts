// Fixed vectors from other sources than the code under test: GitHub's documentation, octokit's tests, the vendors' formulas.
import { expect, test } from 'vitest';
import { signBody, signForDingtalk, signForFeishu } from './sign.ts';

const chinese =
  '{"event":"content.publish","timestamp":"2026-01-02T03:04:05+08:00","site_id":1,"site_name":"示例站点","data":{"id":42}}';

test.each([
  [
    "It's a Secret to Everybody",
    'Hello, World!',
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
  ['mysecret', '{"foo":"bar"}', '4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3'],
  ['secret', 'data', '1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db'],
  ['s3cr3t', chinese, '8997473ba63f725723030db49dd86fffa2cbf2e194cd714f1b0de47ef2ba3e28'],
])('with the secret %s the body %s is signed', (secret, body, want) => {
  expect(signBody(secret, body, 'lower')).toBe(`sha256=${want}`);
  expect(signBody(secret, body, 'upper')).toBe(`sha256=${want.toUpperCase()}`);
});

test.each([
  ['SECthis-is-secret', 'MGTSynT35H3YyJy6IMPL8G+yYna+gwkBH/0Cd4+a2hI='],
  ['this is secret', 'sSFWELbV2YwjdDQhWZwTcWlX5BWUx5J6TPpsZmuPii0='],
])('DingTalk’s sign for the secret %s', (secret, sign) => {
  expect(signForDingtalk(secret, 1_700_000_000_000)).toEqual({ timestamp: '1700000000000', sign });
});

test.each([
  ['mysecret', 1_700_000_000_999, '1700000000', 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo='],
  ['demo', 1_599_360_473_000, '1599360473', 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8='],
  ['demo', 100_000, '100', 'jquNHnVOwmDRfw+vqTIrY5dooJAgi5EcRtLsQE4wfXg='],
])('Feishu’s sign for the secret %s at %i', (secret, at, timestamp, sign) => {
  expect(signForFeishu(secret, at)).toEqual({ timestamp, sign });
});
