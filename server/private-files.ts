import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { BadSetting } from './settings.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PRIVATE_UMASK = 0o077;
const MODE_BITS = 0o7777;
const STICKY_BIT = 0o1000;

/** Problems that are reported one by one; of the rest only the number. */
const MAX_REPORTED_PATHS = 20;

/**
 * Files that this process creates from now on are its user's alone. Worker threads share the umask,
 * but cannot set it.
 */
export const createPrivateFiles = (): void => void process.umask(PRIVATE_UMASK);

const octal = (mode: number): string => (mode & MODE_BITS).toString(8).padStart(4, '0');

const codeOf = (error: unknown): string => String(error instanceof Error ? (Reflect.get(error, 'code') ?? error.message) : error);

const ownUserId = (): number => process.getuid?.() ?? -1;

/**
 * @returns why others may still have rights to the path, and what to do; undefined where they have
 * none
 */
function restrict(path: string, stats: Stats): string | undefined {
  const wanted = stats.isDirectory() ? FOLDER_MODE : FILE_MODE;
  const mode = stats.mode & MODE_BITS;
  let failure = '';
  try {
    if (mode !== wanted) chmodSync(path, wanted);
  } catch (error) {
    failure = `${path} has the mode ${octal(mode)}, which cannot be changed to ${octal(wanted)} (${codeOf(error)}).`;
  }
  const own = ownUserId();
  if (stats.uid !== own && own !== -1)
    return `${failure || `${path} can be read by its owner.`} It belongs to the user ${stats.uid}, not to the shop’s user ${own}. Run: chown ${own} "${path}"`;
  return failure === '' ? undefined : `${failure} Run: chmod ${octal(wanted)} "${path}"`;
}

const namesIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

/**
 * The problem with one path, and the paths below it. One that has just been deleted is no problem.
 */
function visit(path: string): { problem?: string | undefined; below: string[] } {
  try {
    const stats = lstatSync(path);
    // Its target may be shared with other programs on purpose.
    if (stats.isSymbolicLink())
      return {
        problem: `${path} is a symbolic link, whose target is not changed. Make sure that only the shop’s user can read it.`,
        below: [],
      };
    const problem = restrict(path, stats);
    return { problem, below: stats.isDirectory() ? namesIn(path) : [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { below: [] };
    return { problem: `${path} cannot be checked (${codeOf(error)}). Make it readable by the shop’s user.`, below: [] };
  }
}

/**
 * Takes all rights to a folder and everything in it from other users, for files written under any
 * umask: folders get the mode 0700, files 0600. Creates the folder where it is missing.
 * @returns sentences for the operator about paths that others may still have rights to
 * @throws BadSetting for a folder like /tmp, which users share on purpose
 */
export function makePrivate(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const top = realpathSync(folder);
  if ((lstatSync(top).mode & STICKY_BIT) !== 0)
    throw new BadSetting(
      `The folder ${folder} is shared by users (it has the sticky bit). Name one for the shop alone, such as ${join(folder, 'shop')}.`,
    );
  const problems: string[] = [];
  // A folder is closed before its content is read: from then on no other user can put a link in the
  // place of a file.
  const pending = [top];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const { problem, below } = visit(path);
    if (problem !== undefined) problems.push(problem);
    pending.push(...below.toReversed());
  }
  const more = problems.length - MAX_REPORTED_PATHS;
  return more > 0 ? [...problems.slice(0, MAX_REPORTED_PATHS), `… and ${more} more paths below ${folder}.`] : problems;
}
