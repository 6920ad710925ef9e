import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { BadSetting } from './bad-setting.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PRIVATE_UMASK = 0o077;
const MODE_BITS = 0o7777;
const STICKY_BIT = 0o1000;

/**
 * O_PATH of open(2) on Linux, for which Node has no constant: the descriptor allows no reading, so
 * it works for any type of file.
 */
const O_PATH = 0o10000000;

/** Number of problems that are reported one by one; the rest are only counted. */
const MAX_REPORTED_PATHS = 20;

/**
 * Names in the data folder of a shop, and of a gateway; the lock and the journal have longer names
 * while they are being written. Only these are changed: the mode of the folder itself protects the
 * rest.
 */
const SHOP_NAMES = /^(?:covers|gateway|media|outbox|postgres|colophon\.lock.*|journal\.jsonl.*)$/;
/**
 * A folder with one of these belongs to a shop or a gateway; a `media` alone may be another
 * program's.
 */
const SHOP_MARKERS = [
  'colophon.lock',
  'covers',
  'journal.jsonl',
  join('gateway', 'journal.jsonl'),
  'outbox',
  join('postgres', 'PG_VERSION'),
];

/** Marks a data folder as a shop's, so that the next start recognises it by more than its media. */
export const markShopFolder = (folder: string): void =>
  void mkdirSync(join(folder, 'outbox'), { recursive: true, mode: FOLDER_MODE });

/**
 * Makes files that the process creates from now on readable for this user only. Worker threads
 * share the umask, but cannot set it.
 */
export const createPrivateFiles = (): void => void process.umask(PRIVATE_UMASK);

const formatMode = (mode: number): string => (mode & MODE_BITS).toString(8).padStart(4, '0');

const getErrorCode = (error: unknown): string =>
  String(error instanceof Error ? (Reflect.get(error, 'code') ?? error.message) : error);

const getOwnUserId = (): number => process.getuid?.() ?? -1;

const isForeign = ({ uid }: Stats): boolean => getOwnUserId() !== -1 && uid !== getOwnUserId();

const getPrivateMode = (stats: Stats): number => (stats.isDirectory() ? FOLDER_MODE : FILE_MODE);

/**
 * A path as it appears in messages. Other users may have chosen the name: no control character must
 * reach the terminal, and no part of it must look like the message itself.
 */
const formatPath = (path: string): string =>
  JSON.stringify(path).replaceAll(/[\u007f-\u009f\u200e-\u202e\u2066-\u2069]/g, '\uFFFD');

/** An open path: `descriptorPath` refers to the same file even after the path has been replaced. */
type OpenPath = { stats: Stats; descriptorPath: string };

/** Opens the path itself, never the target of a link in its last part. */
function withPath<Result>(path: string, inspect: (open: OpenPath) => Result): Result {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    return inspect({ stats: fstatSync(descriptor), descriptorPath: `/proc/self/fd/${descriptor}` });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Gives the path its private mode. @returns the reason why other users may still have rights to the
 * path, with the remedy; undefined where they have none
 */
function restrict({ stats, descriptorPath }: OpenPath, path: string): string | undefined {
  const [expectedMode, mode] = [getPrivateMode(stats), stats.mode & MODE_BITS];
  if (isForeign(stats)) {
    const owner = `It belongs to the user ${stats.uid}, not to the shop’s user ${getOwnUserId()}, and is left as it is.`;
    return `${formatPath(path)} has the mode ${formatMode(mode)} and can be read by its owner. ${owner} Change its owner to ${getOwnUserId()} (chown).`;
  }
  try {
    if (mode !== expectedMode) chmodSync(descriptorPath, expectedMode);
    return undefined;
  } catch (error) {
    const failure = `${formatPath(path)} has the mode ${formatMode(mode)}, which cannot be changed to ${formatMode(expectedMode)} (${getErrorCode(error)}).`;
    return `${failure} Change it as the file’s owner (chmod).`;
  }
}

/**
 * Makes a path and all below it private. Each is opened relative to its open folder, so that no
 * other user can replace a folder on the way by a link.
 * @param pathToOpen the path to open
 * @param path its name in messages
 */
function makePathPrivate(pathToOpen: string, path: string, problems: string[]): void {
  try {
    withPath(pathToOpen, (openPath) => {
      // The target of a link may be shared with other programs on purpose.
      const problem = openPath.stats.isSymbolicLink()
        ? `${formatPath(path)} is a symbolic link, whose target is not changed. Make sure that only the shop’s user can read it.`
        : restrict(openPath, path);
      if (problem !== undefined) problems.push(problem);
      // A folder is closed to others before its content is read.
      if (openPath.stats.isDirectory())
        for (const name of readdirSync(openPath.descriptorPath))
          makePathPrivate(`${openPath.descriptorPath}/${name}`, join(path, name), problems);
    });
  } catch (error) {
    // A file that has just been deleted is not a problem.
    if (getErrorCode(error) !== 'ENOENT')
      problems.push(`${formatPath(path)} cannot be checked (${getErrorCode(error)}). Make it readable for the shop’s user.`);
  }
}

/** Whether a path or its content would be changed; false for a new disk's empty `lost+found`. */
const wouldChange = (path: string): boolean =>
  withPath(path, ({ stats, descriptorPath }) => {
    if (stats.isSymbolicLink() || isForeign(stats)) return false;
    return (stats.mode & MODE_BITS) !== getPrivateMode(stats) || (stats.isDirectory() && readdirSync(descriptorPath).length > 0);
  });

const isShopFolder = (folder: string): boolean => SHOP_MARKERS.some((marker) => existsSync(join(folder, marker)));

/** Makes the folder private, with all of a shop's data in it. */
function makeFolderPrivate(folder: string, problems: string[]): void {
  withPath(folder, (openPath) => {
    const problem = restrict(openPath, folder);
    if (problem !== undefined) problems.push(problem);
    for (const name of readdirSync(openPath.descriptorPath).filter((each) => SHOP_NAMES.test(each)))
      makePathPrivate(`${openPath.descriptorPath}/${name}`, join(folder, name), problems);
  });
}

/**
 * Removes other users' rights to a folder, and to all of a shop's data in it, including files
 * written under another umask: folders get the mode 0700, files 0600. Creates the folder where it
 * is missing.
 * @returns sentences for the operator about paths that others may still have rights to
 * @throws BadSetting for a folder like /tmp, which users share on purpose, and for one like /srv,
 * which has other programs' files and no shop data
 */
export function makePrivate(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const realFolder = realpathSync(folder);
  const advice = `Name one for the shop alone, such as ${join(folder, 'shop')}.`;
  const isShared = withPath(realFolder, ({ stats }) => (stats.mode & STICKY_BIT) !== 0);
  if (isShared) throw new BadSetting(`The folder ${folder} is shared by users (it has the sticky bit). ${advice}`);
  const names = readdirSync(realFolder).toSorted();
  const foreignName = isShopFolder(realFolder) ? undefined : names.find((name) => wouldChange(join(realFolder, name)));
  if (foreignName !== undefined)
    throw new BadSetting(
      `The folder ${folder} has "${foreignName}" and no shop data, but a data folder is private to the shop’s user: ` +
        `expected an empty folder, or one with a shop’s data. ${advice}`,
    );
  const problems: string[] = [];
  makeFolderPrivate(realFolder, problems);
  const unreportedCount = problems.length - MAX_REPORTED_PATHS;
  return unreportedCount > 0
    ? [...problems.slice(0, MAX_REPORTED_PATHS), `… and ${unreportedCount} more paths below ${folder}.`]
    : problems;
}
