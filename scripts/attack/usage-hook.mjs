// Loaded into a command by --import: at its end it writes the most memory that the process ever had, in kilobytes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.ATTACK_USAGE_FILE;
const status = '/proc/self/status';
if (isMainThread && file) process.on('exit', () => writeFileSync(file, String(mostKilobytes())));

/** Linux counts the memory of the process that started it into maxRSS; not so here. */
function mostKilobytes() {
  const [, own] = (existsSync(status) && /^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))) || [];
  return own ?? process.resourceUsage().maxRSS;
}
