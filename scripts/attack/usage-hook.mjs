// Loaded into a command by --import: at its end it writes the most memory that the process ever had, in kilobytes.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.ATTACK_USAGE_FILE;
if (isMainThread && file)
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
