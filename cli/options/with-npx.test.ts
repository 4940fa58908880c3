import { expect, test, vi } from 'vitest';
import { withNpx } from './with-npx.ts';

const hint = 'run `sitepub test a` (`sitepub --help`):\n  sitepub mock\nsitepub: in sitepub.config.yaml';

test.for([
  ['a shell', '', hint],
  ['npx', 'exec', hint.replaceAll(/sitepub (?=[a-z-])/g, 'npx sitepub ')],
])('writes commands in hints for a process that %s started', ([, npmCommand, want]) => {
  vi.stubEnv('npm_command', npmCommand);
  expect(withNpx(hint)).toBe(want);
  vi.unstubAllEnvs();
});
