// Records the running mocks of this user, so that commands find the latest one.
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, readOwnFile, writeOwnFile } from '../../contract-tests/deployment/own-folder.ts';

interface RunningMock {
  pid: number;
  control_url: string;
  /** PEM certificates to trust. */
  certificate?: string | undefined;
  /** In milliseconds since 1970. */
  started_at: number;
}

/** Returns a function that removes the record, which also happens when the process ends. Undefined if it cannot be written. */
export function recordMock(controlUrl: string, certificate?: string): (() => void) | undefined {
  const folder = recordsFolder();
  if (folder === undefined) return undefined;
  const file = join(folder, `${process.pid}.json`);
  const { pid } = process;
  const record: RunningMock = { pid, control_url: controlUrl, certificate, started_at: Date.now() };
  const remove = () => rmSync(file, { force: true });
  try {
    writeOwnFile(file, JSON.stringify(record));
  } catch {
    return undefined;
  }
  process.once('exit', remove);
  return remove;
}

/** Also removes records of processes that have ended. */
export function lastMock(): RunningMock | undefined {
  const folder = recordsFolder();
  if (folder === undefined) return undefined;
  const records = readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    const record = readRecord(file);
    if (record && isRunning(record.pid)) return [record];
    rmSync(file, { force: true, recursive: true });
    return [];
  });
  return records.sort((one, other) => other.started_at - one.started_at)[0];
}

/** Undefined for an invalid or half-written file. */
function readRecord(file: string): RunningMock | undefined {
  try {
    const record = JSON.parse(readOwnFile(file)) as RunningMock;
    return record.pid > 0 && URL.canParse(record.control_url) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Undefined if other users can write the folder: they could send commands and their control token elsewhere. */
function recordsFolder(): string | undefined {
  const folder = cacheFolder('mocks');
  if (folder === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** On Windows, each user has a temporary folder. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder);
  if (!process.getuid) return found.isDirectory();
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
}
